#pragma once

namespace dray {

// How busy this machine's cores are, whoever's work it is.
class CpuUse {
 public:
  CpuUse();

  // The share of their time, since this was last asked, that the cores were at work: from 0 to 1,
  // or not a number where the system does not say or no time has passed.
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
