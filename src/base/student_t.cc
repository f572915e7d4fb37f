#include "src/base/student_t.h"

#include <iterator>

namespace dray {

double StudentT975(size_t degrees) {
  constexpr double kExact[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060};
  if (degrees <= std::size(kExact)) return kExact[degrees - 1];
  constexpr double z = 1.959963985;
  const double n = degrees;
  const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

}  // namespace dray
