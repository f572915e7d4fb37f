#include "src/envs/waves/orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "src/base/file.h"
#include "src/envs/waves/day.h"
#include "src/envs/waves/instances.h"
#include "src/envs/waves/policies/scenario.h"

namespace dray::waves {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kPlaces[] = "place,x,y\ndepot,0,0\nnear,3,4\nfar,30,0\n";  // 10 and 60 minutes
constexpr char kOrders[] =
    "day,ordered,place,opens,closes,service,load\n"
    "mon,08:10,near,10:00,12:00,5,2\n"
    "mon,09:00,far,10:30,13:00,10,1\n"
    "tue,07:30,near,09:00,11:30,5,1\n"
    "tue,08:20,near,10:00,10:30,0,3\n"
    "tue,11:05,far,14:00,16:00,0,1\n";

Instance Parsed(const std::string& orders, const WavesConfig& settings = {}) {
  return ParseOrders({.orders = {"orders.csv", orders}, .places = {"places.csv", kPlaces}},
                     settings);
}

std::string ErrorOf(const std::string& orders, const WavesConfig& settings = {}) {
  try {
    Parsed(orders, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A file of one order.
std::string Order(const std::string& line) {
  return "ordered,place,opens,closes,service,load\n" + line + "\n";
}

TEST(ParseOrders, ADayHasItsRequestsInTheEpochThatBeginsAfterTheyWereOrdered) {
  const auto instance = std::make_shared<const Instance>(Parsed(kOrders));
  EXPECT_EQ(instance->travel(0, 1), 600);
  EXPECT_EQ(instance->first_epoch, 8);  // near on Tuesday, ordered at 7:30
  EXPECT_EQ(instance->last_epoch, 13);  // far on Tuesday, for vehicles that leave at 14:00
  EXPECT_EQ(instance->draws, 2);
  ASSERT_EQ(instance->recorded.size(), 2);

  Day monday(instance, /*seed=*/6);
  EXPECT_THAT(monday.open(), IsEmpty());  // 8:00
  monday.Dispatch({});
  ASSERT_EQ(monday.open().size(), 2);  // 9:00: that of 8:10, and that of 9:00 sharp
  const Request& near = monday.open()[0];
  EXPECT_EQ(near.place, 1);
  EXPECT_EQ(near.opens, 10 * 3600);
  EXPECT_EQ(near.closes, 12 * 3600);
  EXPECT_EQ(near.service, 300);
  EXPECT_EQ(near.load, 2);
  EXPECT_FALSE(near.must_go);
  EXPECT_EQ(monday.open()[1].place, 2);
  EXPECT_FALSE(monday.open()[1].must_go);
  monday.Dispatch({{1}});
  EXPECT_FALSE(monday.open()[0].must_go) << "a vehicle that leaves at 12:00 is there at 13:00";
  monday.Dispatch({});
  EXPECT_TRUE(monday.open()[0].must_go);
  monday.Dispatch({{2}});
  while (!monday.done()) monday.Dispatch({});
  EXPECT_EQ(monday.cost(), 2 * 600 + 2 * 3600);

  const Day tuesday(instance, /*seed=*/7);
  ASSERT_EQ(tuesday.open().size(), 1);
  EXPECT_EQ(tuesday.open()[0].place, 1);
}

TEST(ParseOrders, TheFutureOfADayIsThatOfTheOthers) {
  const Instance instance = Parsed(kOrders);
  Rng rng(1, RngPurpose::kTest, 0);
  EXPECT_EQ(SampleArrivals(instance, 8, rng, /*but_day=*/0).size(), 1);
  EXPECT_EQ(SampleArrivals(instance, 12, rng, /*but_day=*/0).size(), 1);
  EXPECT_THAT(SampleArrivals(instance, 8, rng, /*but_day=*/1), IsEmpty());
  EXPECT_EQ(SampleArrivals(instance, 9, rng, /*but_day=*/1).size(), 2);
  const Instance alone = Parsed(Order("08:10,near,10:00,12:00,5,2"));
  EXPECT_THAT(SampleArrivals(alone, 9, rng, /*but_day=*/0), IsEmpty());
  EXPECT_EQ(SampleArrivals(alone, 9, rng).size(), 1) << "for a live day";
}

TEST(ParseOrders, AnEpochIsSampledFromEveryOtherDay) {
  std::string orders = "day,ordered,place,opens,closes\n";
  for (int day = 0; day < 5; ++day) {
    for (int i = 0; i <= day; ++i) {
      orders += Cat(day, ",08:1", i, ",near,10:00,12:00\n");
    }
  }
  const Instance instance = Parsed(orders);
  Rng rng(1, RngPurpose::kTest, 0);
  std::set<size_t> sizes;
  for (int i = 0; i < 200; ++i) {
    sizes.insert(SampleArrivals(instance, instance.first_epoch, rng, /*but_day=*/2).size());
  }
  EXPECT_THAT(sizes, ElementsAre(1, 2, 4, 5));
}

TEST(ParseOrders, ServiceLoadAndDayMayBeMissing) {
  const Instance instance = Parsed("ordered,place,opens,closes\n08:10,near,10:00,12:00\n");
  const Request& request = instance.recorded.at(0).at(0).at(0);
  EXPECT_EQ(request.service, 0);
  EXPECT_EQ(request.load, 1);
}

TEST(ParseOrders, MistakesNameTheLineAndTheReason) {
  EXPECT_EQ(ErrorOf(Order("08:10,nera,10:00,12:00,5,2")),
            "orders.csv:2: place: there is no place 'nera' in places.csv; did you mean 'near'?");
  EXPECT_THAT(ErrorOf(Order("08:10,depot,10:00,12:00,5,2")), HasSubstr(":2: place: is the depot"));
  EXPECT_THAT(ErrorOf(Order("08:10,near,12:00,10:00,5,2")),
              HasSubstr(":2: closes: the window closes at 10:00, before it opens at 12:00"));
  EXPECT_THAT(ErrorOf(Order("12:30,near,10:00,12:00,5,2")),
              HasSubstr(":2: ordered: is 12:30, after the window closes at 12:00"));
  EXPECT_THAT(ErrorOf(Order("10:30,near,10:00,12:05,5,2")),
              HasSubstr(":2: closes: no vehicle can serve it: ordered at 10:30, it leaves at 12:00 "
                        "at the earliest and arrives at 12:10, after 12:05"));
  EXPECT_THAT(ErrorOf(Order("-5,near,10:00,12:00,5,2")), HasSubstr(":2: ordered: must be from 0"));
  EXPECT_THAT(ErrorOf(Order("08:10,near,10:00,12:00,-5,2")), HasSubstr(":2: service: must be"));
  EXPECT_THAT(ErrorOf(Order("")), HasSubstr("there is no order"));
  WavesConfig settings;
  settings.set_capacity(3);
  settings.set_depot_closes_min(12 * 60);
  EXPECT_THAT(ErrorOf(Order("08:10,near,10:00,11:30,5,4"), settings),
              HasSubstr(":2: load: must be from 0 to the capacity of a vehicle, 3, found 4"));
  EXPECT_THAT(ErrorOf(Order("08:10,far,10:00,12:00,90,1"), settings),
              HasSubstr("begins at 11:00 and is back at 13:30, after the depot closes at 12:00"));
}

TEST(ParseOrders, TravelTimesNeedAPlaceForEachLine) {
  const OrderFiles::File orders = {"orders.csv", Order("08:10,1,10:00,12:00,5,2")};
  const Instance instance =
      ParseOrders({.orders = orders, .travel = {"travel.csv", "0,20\n30,0\n"}}, {});
  EXPECT_EQ(instance.travel(0, 1), 1200);
  EXPECT_EQ(instance.travel(1, 0), 1800);
  const auto error = [&](const OrderFiles& files) -> std::string {
    try {
      ParseOrders(files, {});
    } catch (const Error& wrong) {
      return wrong.what();
    }
    return "";
  };
  EXPECT_THAT(error({.orders = orders}), HasSubstr("name the file of places in env.waves.places"));
  EXPECT_THAT(error({.orders = orders,
                     .places = {"places.csv", kPlaces},
                     .travel = {"travel.csv", "0,20\n30,0\n"}}),
              HasSubstr("travel.csv: has times for 2 places, and places.csv has 3"));
  EXPECT_THAT(error({.orders = orders, .travel = {"travel.csv", "0,-20\n30,0\n"}}),
              HasSubstr("travel.csv:1: "));
  EXPECT_THAT(error({.orders = orders, .travel = {"travel.csv", "0,20\n30\n"}}),
              HasSubstr("travel.csv:2: "));
}

TEST(InstancesOf, ARunCarriesTheTextsOfItsOrders) {
  const std::string folder = testing::TempDir();
  WriteFileAtomically(folder + "/orders.csv", kOrders, "test");
  WriteFileAtomically(folder + "/places.csv", kPlaces, "test");
  WavesConfig settings;
  settings.set_orders(folder + "/orders.csv");
  settings.set_places(folder + "/places.csv");
  WavesConfig carried = settings;
  CarryInstances(&carried);
  EXPECT_EQ(carried.orders(), kOrders);
  EXPECT_EQ(carried.places(), kPlaces);
  EXPECT_EQ(InstancesOf(carried).at(0)->customers.size(),
            InstancesOf(settings).at(0)->customers.size());
  carried.add_instances("town.txt");
  EXPECT_THROW(InstancesOf(carried), Error);
}

}  // namespace
}  // namespace dray::waves
