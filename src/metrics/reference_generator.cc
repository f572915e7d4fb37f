// Prints configs/METRICS.md.

#include <iostream>

#include "src/metrics/table.h"

int main() { std::cout << dray::MetricsReference(); }
