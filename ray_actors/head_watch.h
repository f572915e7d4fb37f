#pragma once

#include <string>
#include <thread>

namespace dray_ray {

// Ends this process when a head of its own has died and nothing else has noticed: before Ray is
// joined, say, where its client would wait for a minute.
class HeadWatch {
 public:
  // `output` is the pipe that the head holds open for as long as it lives; `line` is printed when
  // it has died.
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
