#include "src/env/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "src/base/error.h"

namespace dray {
namespace {

using testing::Contains;
using testing::Not;

Task Named(std::string_view name) {
  Task task;
  task.name = name;
  return task;
}

std::string ErrorOf(std::vector<Task> tasks) {
  try {
    RegisterTasks(std::move(tasks));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// Suites of this name run first, before any task is registered.
TEST(RegistryDeathTest, AnEmptyRegistryIsABug) {
  EXPECT_DEATH(AllTasks(), "no task is registered");
}

TEST(Registry, TasksKeepTheirOrderAndPlaceAsOthersAreAdded) {
  RegisterTasks({Named("second"), Named("first")});
  EnvConfig config;
  config.set_name("second");
  const Task& second = TaskOf(config);
  for (const char* name : {"third", "fourth", "fifth"}) RegisterTasks({Named(name)});
  EXPECT_EQ(&TaskOf(config), &second);
  std::vector<std::string_view> names;
  for (const Task& task : AllTasks()) names.push_back(task.name);
  const auto at = std::ranges::find(names, "second");
  ASSERT_GE(names.end() - at, 3);
  EXPECT_EQ(at[1], "first");
  EXPECT_EQ(at[2], "third");
  EXPECT_TRUE(std::ranges::is_sorted(EnvNames()));
}

TEST(Registry, ANameThatIsTakenIsAnErrorAndNothingIsAdded) {
  RegisterTasks({Named("taken")});
  EXPECT_EQ(ErrorOf({Named("beside it"), Named("taken")}),
            "there is already a task \"taken\": give yours another name");
  EXPECT_EQ(ErrorOf({Named("twice"), Named("twice")}),
            "there is already a task \"twice\": give yours another name");
  EXPECT_THAT(EnvNames(), Not(Contains("beside it")));
  EXPECT_THAT(EnvNames(), Not(Contains("twice")));
}

bool ReadsLibraries(const std::string& value, EnvConfig* config) {
  if (!value.ends_with(".lib")) return false;
  config->set_name("library");
  return true;
}

TEST(Registry, ANameThatATaskReadsBecomesThatTasks) {
  Task library = Named("library");
  library.external = true;
  library.read_env_flag = ReadsLibraries;
  library.env_flag_values = "FILE.lib";
  RegisterTasks({library, Named("task.lib")});
  const auto read = [](const std::string& name) {
    EnvConfig config;
    config.set_name(name);
    ReadEnvName(&config);
    return config.name();
  };
  EXPECT_EQ(read("my.lib"), "library");
  EXPECT_EQ(read("task.lib"), "task.lib");
  EXPECT_EQ(read("library"), "library");
  EXPECT_EQ(read("neither"), "neither");
}

TEST(Registry, ExternalTasksAreNotListedButTheirNamesAreSuggested) {
  Task outside = Named("outside");
  outside.external = true;
  outside.env_flag_values = "FILE.out";
  RegisterTasks({outside, Named("inside")});
  EXPECT_THAT(EnvNames(), testing::AllOf(Contains("inside"), Not(Contains("outside"))));
  EnvConfig config;
  config.set_name("nowhere");
  try {
    TaskOf(config);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("; your own: "));
    EXPECT_THAT(error.what(), testing::HasSubstr("FILE.out"));
  }
}

TEST(Registry, TasksMayBeAddedWhileOthersAreRead) {
  static const std::vector<std::string> names = {"thread 0", "thread 1", "thread 2", "thread 3"};
  RegisterTasks({Named("before the threads")});
  std::vector<std::thread> threads;
  for (const std::string& name : names) {
    threads.emplace_back([&name] {
      RegisterTasks({Named(name)});
      EXPECT_THAT(EnvNames(), Contains(name));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(EnvNames(), testing::IsSupersetOf(names));
}

}  // namespace
}  // namespace dray
