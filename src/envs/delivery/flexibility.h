#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/base/rng.h"
#include "src/envs/delivery/type_split.pb.h"

namespace dray::delivery {

// The ends of a trip that a customer is willing to have shifted.
enum class Flexibility : uint8_t { kLateDropoff = 0, kEarlyPickup = 1, kNone = 2, kBoth = 3 };
inline constexpr int kFlexibilityTypes = 4;
inline constexpr std::array<Flexibility, kFlexibilityTypes> kEveryFlexibility = {
    Flexibility::kLateDropoff, Flexibility::kEarlyPickup, Flexibility::kNone, Flexibility::kBoth};

// Position of a type in arrays with one element per type.
constexpr size_t Index(Flexibility type) { return static_cast<size_t>(type); }

// Numbers of riders of each type in the survey.
inline constexpr std::array<int, kFlexibilityTypes> kSurveyed = {8, 13, 6, 3};
inline constexpr int kSurveyedRiders = 30;

// Probability of each type.
using TypeShares = std::array<double, kFlexibilityTypes>;
TypeShares SharesOf(TypeSplit split);

// Draws a type with these probabilities, independently of all others.
Flexibility DrawType(TypeSplit split, Rng& rng);
Flexibility DrawUniformType(Rng& rng);

}  // namespace dray::delivery
