// Prints the reference of every setting; configs/REFERENCE.md is its output.

#include <iostream>

#include "src/config/config.pb.h"
#include "src/config/reference.h"

int main() { std::cout << dray::ReferenceMarkdown(*dray::Config::descriptor()); }
