#pragma once

#include <string>
#include <thread>

namespace dray_ray {

// Ends this process if its own Ray head dies and nothing else notices, for example before Ray is
// joined, when Ray's client would wait for a minute.
class HeadWatch {
 public:
  // `output` is the pipe that the head keeps open while it lives; `line` is printed when it dies.
  HeadWatch(int output, std::string line);
  ~HeadWatch();
  HeadWatch(const HeadWatch&) = delete;
  HeadWatch& operator=(const HeadWatch&) = delete;

 private:
  void Watch(int output) const;

  std::string line_;
  int wake_[2];
  std::thread thread_;
};

}  // namespace dray_ray
