#pragma once

#include <string>

namespace dray {

// One small problem in every format: depot at (0, 0), customers at (3, 4) and (6, 8).

inline const char kSolomonText[] =
    "TINY\n"
    "\n"
    "VEHICLE\n"
    "NUMBER     CAPACITY\n"
    "  2         10\n"
    "\n"
    "CUSTOMER\n"
    "CUST NO.  XCOORD.  YCOORD.  DEMAND  READY TIME  DUE DATE  SERVICE TIME\n"
    "\n"
    "    0      0       0        0          0       100          0\n"
    "    1      3       4        4          0        50          2\n"
    "    2      6       8        5         20        60          3\n";

inline const char kVrplibText[] =
    "NAME : tiny\n"
    "COMMENT : by hand\n"
    "TYPE : VRPTW\n"
    "DIMENSION : 3\n"
    "VEHICLES : 2\n"
    "CAPACITY : 10\n"
    "EDGE_WEIGHT_TYPE : EUC_2D\n"
    "NODE_COORD_SECTION\n"
    "1 0 0\n"
    "2 3 4\n"
    "3 6 8\n"
    "DEMAND_SECTION\n"
    "1 0\n"
    "2 4\n"
    "3 5\n"
    "TIME_WINDOW_SECTION\n"
    "1 0 100\n"
    "2 0 50\n"
    "3 20 60\n"
    "SERVICE_TIME_SECTION\n"
    "1 0\n"
    "2 2\n"
    "3 3\n"
    "DEPOT_SECTION\n"
    "1\n"
    "-1\n"
    "EOF\n";

// Without windows, and with a matrix: the way out takes longer than the way back.
inline const char kMatrixText[] =
    "NAME : matrix\n"
    "DIMENSION : 3\n"
    "CAPACITY : 10\n"
    "EDGE_WEIGHT_TYPE : EXPLICIT\n"
    "EDGE_WEIGHT_FORMAT : FULL_MATRIX\n"
    "EDGE_WEIGHT_SECTION\n"
    "9999 7 8\n"
    "5 9999 4 2\n"
    "3 9999\n"
    "DEMAND_SECTION\n"
    "1 0\n"
    "2 4\n"
    "3 5\n"
    "DEPOT_SECTION\n"
    "1\n"
    "-1\n"
    "EOF\n";

// Customer 1 is delivered at 2.
inline const char kLiLimText[] =
    "2\t10\t1\n"
    "0\t0\t0\t0\t0\t100\t0\t0\t0\n"
    "1\t3\t4\t4\t0\t50\t2\t0\t2\n"
    "2\t6\t8\t-4\t20\t60\t3\t1\t0\n";

inline const char kCsvText[] =
    "id,x,y,demand,opens,closes,service\n"
    "0,0,0,0,0,100,0\n"
    "1,3,4,4,0,50,2\n"
    "2,6,8,5,20,60,3\n";

inline const char kPairCsvText[] =
    "id,x,y,demand,opens,closes,service,delivery_of\n"
    "0,0,0,0,0,100,0,\n"
    "1,3,4,4,0,50,2,\n"
    "2,6,8,-4,20,60,3,1\n";

// On the globe: customers 5.0 km north and 5.1 km east of the depot.
inline const char kGlobeCsvText[] =
    "id;lat;lon;demand;opens;closes;service\n"
    "0;52,52;13,405;0;08:00;18:00;0\n"
    "1;52,565;13,405;4;08:00;09:00;2\n"
    "2;52,52;13,48;5;500;10:00;3\n";

// The text with one part replaced.
inline std::string With(std::string text, const std::string& old_part,
                        const std::string& new_part) {
  const size_t at = text.find(old_part);
  return at == std::string::npos ? "no '" + old_part + "' in the text"
                                 : text.replace(at, old_part.size(), new_part);
}

}  // namespace dray
