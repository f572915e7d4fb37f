// Prints the JSON Schema of every setting; configs/schema.json is its output.

#include <iostream>

#include "src/config/config.pb.h"
#include "src/config/json_schema.h"

int main() { std::cout << dray::JsonSchema(*dray::Config::descriptor()); }
