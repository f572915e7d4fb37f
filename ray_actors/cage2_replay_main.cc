#include "ray_actors/command_main.h"

int main(int argc, char** argv) { return dray_api::CommandMain(dray_api::Cage2Replay, argc, argv); }
