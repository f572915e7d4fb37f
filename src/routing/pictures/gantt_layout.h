#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/routing/pictures/picture.h"
#include "src/routing/pictures/picture_words.h"
#include "src/routing/pictures/time_axis.h"
#include "src/routing/plan.h"

namespace dray {

// Computes the positions of the picture along a time axis: a row per vehicle, with lanes of bars.
class GanttLayout {
 public:
  // A stop in its row: its window, the moment that marks it and its label.
  struct Bar {
    int stop = 0;
    bool served = false;
    bool late = false;
    std::string hover = "";
    double moment = 0;  // start of service; the middle of the window if never served
    double label = 0;   // left edge of the label
    // Extent of the whole bar in pixels, and its lane.
    double begin = 0;
    double end = 0;
    int lane = 0;
  };

  struct Row {
    std::vector<Bar> bars;
    int lanes = 0;
  };

  // Fits the picture between the pixels `left` and `right`, with labels of the given size. The axis
  // shows `times` too. Keeps references to its arguments.
  GanttLayout(const Problem& problem, const Simulation& driven, const PictureWords& words,
              std::span<const AskedWindow> asked, const std::optional<TimeSpan>& times, double left,
              double right, double label_size);

  const TimeAxis& axis() const { return axis_; }
  const std::vector<Row>& vehicles() const { return vehicles_; }
  // Stops that no vehicle visits.
  const Row& absent() const { return absent_; }

  // Returns when a vehicle leaves the depot: as late as its first stop allows.
  int64_t Departure(size_t vehicle) const;
  AskedWindow Asked(int stop) const;
  // Returns true if a stop's window is not the one asked for.
  bool Shifted(int stop) const;

 private:
  TimeAxis MakeAxis(const std::optional<TimeSpan>& times, double left, double right) const;
  void Measure(Bar* bar) const;
  void AssignLanes(Row* row) const;

  const Problem& problem_;
  const Simulation& driven_;
  const PictureWords& words_;
  const std::span<const AskedWindow> asked_;
  const double label_size_;
  std::vector<bool> visited_;  // indexed by stop
  TimeAxis axis_;
  std::vector<Row> vehicles_;
  Row absent_;
};

}  // namespace dray
