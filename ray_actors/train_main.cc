#include "ray_actors/command_main.h"

int main(int argc, char** argv) {
  return dray_api::CommandMain(
      [](int count, const char* const* arguments) { dray_api::Train(count, arguments, nullptr); },
      argc, argv);
}
