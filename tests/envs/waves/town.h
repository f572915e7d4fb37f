#pragma once

#include <memory>
#include <string>

#include "src/envs/waves/instance.h"

namespace dray::waves {

// A made-up instance: 8 customers, windows that open from 2:00 to 5:00, epochs 1 to 4.
inline constexpr char kTown[] = R"(NAME : town
TYPE : VRPTW
DIMENSION : 9
EDGE_WEIGHT_TYPE : EXPLICIT
EDGE_WEIGHT_FORMAT : FULL_MATRIX
CAPACITY : 20
EDGE_WEIGHT_SECTION
0 1334 1384 1455 1253 1593 1050 672 746
1339 0 1427 1689 528 2545 1657 1922 658
1352 1377 0 2604 1759 2922 2308 1390 1112
1495 1634 2578 0 1222 1281 526 2069 1486
1271 499 1732 1207 0 2227 1308 1919 703
1558 2565 2906 1325 2195 0 934 1748 2103
1063 1657 2359 525 1281 919 0 1566 1322
698 1912 1419 2014 1917 1790 1590 0 1291
733 626 1134 1528 709 2110 1347 1290 0
NODE_COORD_SECTION
1 1500 1500
2 1468 2828
3 2670 2171
4 118 1907
5 1020 2658
6 212 642
7 463 1522
8 1921 1009
9 1559 2227
DEMAND_SECTION
1 0
2 5
3 7
4 3
5 8
6 6
7 4
8 9
9 2
DEPOT_SECTION
1
-1
SERVICE_TIME_SECTION
1 0
2 300
3 120
4 600
5 240
6 180
7 420
8 360
9 60
TIME_WINDOW_SECTION
1 0 28800
2 7200 10800
3 7200 21600
4 9000 14400
5 10800 12600
6 14400 18000
7 16200 21600
8 18000 21600
9 7200 9000
EOF
)";

inline constexpr int kTownDraws = 6;  // requests drawn per epoch

std::shared_ptr<const Instance> Town();

// Writes the text of the town to a file of the test's folder and returns its path.
std::string TownFile();

// Returns the town's text with its first `from` replaced; tests break it this way.
std::string TownWith(const std::string& from, const std::string& to);

}  // namespace dray::waves
