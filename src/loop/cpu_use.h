#pragma once

namespace dray {

// Measures how busy this machine's cores are, counting all processes.
class CpuUse {
 public:
  CpuUse();

  // Returns the fraction of time the cores were busy since the last call: from 0 to 1, or NaN if
  // the system does not say or no time has passed.
  double TakeShare();

 private:
  struct Ticks {
    double busy = 0;
    double all = 0;
  };
  static Ticks Read();

  Ticks last_;
};

}  // namespace dray
