#include "src/routing/pictures/label_places.h"

#include <gtest/gtest.h>

namespace dray {
namespace {

constexpr LabelPlaces::Box kFrame = {0, 0, 200, 100};

bool Overlap(const LabelPlaces::Box& a, const LabelPlaces::Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

TEST(LabelPlaces, ALabelStandsRightOfASymbolThatIsAlone) {
  LabelPlaces labels(kFrame);
  labels.AddSymbol({100, 50}, 5);
  const LabelPlaces::Box box = labels.Place({100, 50}, 5, 20, 10);
  EXPECT_GE(box.left, 105);
  EXPECT_EQ(box.right - box.left, 20);
  EXPECT_EQ(box.bottom - box.top, 10);
}

TEST(LabelPlaces, LabelsOfNeighboursDoNotCoverEachOther) {
  LabelPlaces labels(kFrame);
  const std::vector<Point> symbols = {{100, 50}, {112, 50}, {106, 60}};
  for (const Point& symbol : symbols) labels.AddSymbol(symbol, 5);
  std::vector<LabelPlaces::Box> boxes;
  for (const Point& symbol : symbols) {
    const LabelPlaces::Box box = labels.Place(symbol, 5, 20, 10);
    for (const LabelPlaces::Box& other : boxes) EXPECT_FALSE(Overlap(box, other));
    boxes.push_back(box);
  }
}

TEST(LabelPlaces, LinesAreAvoided) {
  LabelPlaces labels(kFrame);
  // From the symbol to the right, and straight past it on its left.
  labels.AddLine({100, 50}, {200, 50});
  labels.AddLine({85, 0}, {85, 100});
  const LabelPlaces::Box box = labels.Place({100, 50}, 5, 20, 10);
  EXPECT_TRUE(box.bottom <= 50 || box.top >= 50);
  EXPECT_GE(box.left, 85);
}

TEST(LabelPlaces, AtTheEdgeLabelsStayWithinTheFrame) {
  for (const Point& corner : {Point{0, 0}, Point{200, 0}, Point{0, 100}, Point{200, 100}}) {
    LabelPlaces labels(kFrame);
    labels.AddSymbol(corner, 5);
    const LabelPlaces::Box box = labels.Place(corner, 5, 20, 10);
    EXPECT_TRUE(box.left >= 0 && box.right <= 200 && box.top >= 0 && box.bottom <= 100);
  }
}

}  // namespace
}  // namespace dray
