#include "src/base/thread_team.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace dray {
namespace {

TEST(ThreadTeam, DoesEveryItemOfEveryCallOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadTeam team(threads);
    for (int call = 0; call < 2000; ++call) {
      const int count = call % 257;
      std::array<std::atomic<int>, 256> times = {};
      team.For(count, [&](int item) { ++times[static_cast<size_t>(item)]; });
      for (int item = 0; item < 256; ++item) {
        ASSERT_EQ(times[static_cast<size_t>(item)], item < count ? 1 : 0)
            << threads << " threads, call " << call;
      }
    }
  }
}

TEST(ThreadTeam, RangesCoverEverythingOnce) {
  ThreadTeam team(3);
  for (const size_t numbers : {size_t{10}, size_t{1'000'000}}) {
    for (const size_t count : {0, 1, 5, 1000}) {
      std::vector<std::atomic<int>> seen(count);
      std::atomic<int> ranges = 0;
      team.ForRanges(count, numbers, [&](size_t first, size_t end) {
        ++ranges;
        for (size_t i = first; i < end; ++i) ++seen[i];
      });
      for (const auto& times : seen) EXPECT_EQ(times, 1);
      EXPECT_EQ(ranges > 1, numbers > 10 && count > 1) << numbers << " " << count;
    }
  }
}

TEST(ThreadTeam, WhatItemsWroteIsSeenByTheCaller) {
  ThreadTeam team(4);
  std::vector<int> sums(64);
  for (int call = 1; call <= 5000; ++call) {
    team.For(64, [&](int item) { sums[static_cast<size_t>(item)] += item; });
    if (call % 1000 != 0) continue;
    for (int item = 0; item < 64; ++item) ASSERT_EQ(sums[static_cast<size_t>(item)], item * call);
  }
}

// How many threads are at work at the same time in a call of `count` items; each waits for all.
size_t AtWorkTogether(ThreadTeam& team, int count) {
  std::latch all(count);
  std::set<std::thread::id> seen;
  std::mutex mutex;
  team.For(count, [&](int) {
    all.arrive_and_wait();
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  return seen.size();
}

TEST(ThreadTeam, AllThreadsWork) {
  ThreadTeam team(3);
  EXPECT_EQ(AtWorkTogether(team, 3), 3u);
}

// Whether all threads of this process but the caller wait in the kernel.
bool OthersSleep() {
  const std::string own = std::to_string(::gettid());
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "stat");
    std::string line;
    std::getline(file, line);
    if (task.path().filename() != own && line.find(") S ") == std::string::npos) return false;
  }
  return true;
}

TEST(ThreadTeam, ThoseWhoSleptComeBack) {
  ThreadTeam team(2);
  for (int call = 0; call < 5; ++call) {
    while (!OthersSleep()) std::this_thread::yield();
    EXPECT_EQ(AtWorkTogether(team, 2), 2u);
  }
}

TEST(ThreadTeam, AThreadThatIsLateIsNotWaitedFor) {
  ThreadTeam team(2);
  // The other thread stays with its first item until the caller has done all the rest.
  std::atomic<int> others = 0, done = 0;
  const auto caller = std::this_thread::get_id();
  team.For(100, [&](int item) {
    if (std::this_thread::get_id() != caller) {
      ++others;
      while (item == 50 && done < 99) std::this_thread::yield();
    }
    ++done;
  });
  EXPECT_LE(others, 50);
}

TEST(ThreadTeam, UsesAsManyAsItIsTold) {
  ThreadTeam team(4);
  EXPECT_EQ(team.most_threads(), 4);
  team.Use(1);
  EXPECT_EQ(team.threads(), 1);
  const auto caller = std::this_thread::get_id();
  team.For(50, [&](int) { EXPECT_EQ(std::this_thread::get_id(), caller); });
  team.Use(4);
  std::atomic<int> done = 0;
  team.For(50, [&](int) { ++done; });
  EXPECT_EQ(done, 50);
}

TEST(ThreadTeam, ThrowsWhatAnItemThrewAndGoesOn) {
  ThreadTeam team(3);
  for (int call = 0; call < 100; ++call) {
    std::atomic<int> done = 0;
    EXPECT_THROW(team.For(20,
                          [&](int item) {
                            ++done;
                            if (item == 7) throw std::runtime_error("seven");
                          }),
                 std::runtime_error);
    EXPECT_EQ(done, 20);
    team.For(20, [&](int) { ++done; });
    EXPECT_EQ(done, 40);
  }
}

}  // namespace
}  // namespace dray
