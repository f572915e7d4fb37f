#include "src/output/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dray {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Format, CountsHaveThousandsSeparators) {
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(1000), "1,000");
  EXPECT_EQ(FormatCount(1234567), "1,234,567");
  EXPECT_EQ(FormatCount(-123), "-123");
  EXPECT_EQ(FormatCount(-123456), "-123,456");
  EXPECT_EQ(FormatCount(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Format, FixedNumbersHaveTheirDecimalsAndNoNegativeZero) {
  EXPECT_EQ(FormatFixed(187.34, 1), "187.3");
  EXPECT_EQ(FormatFixed(-12345.67, 1), "-12,345.7");
  EXPECT_EQ(FormatFixed(999.96, 1), "1,000.0");
  EXPECT_EQ(FormatFixed(-0.04, 1), "0.0");
  EXPECT_EQ(FormatFixed(-0.06, 1), "-0.1");
  EXPECT_EQ(FormatFixed(1e300, 0).size(), 301u + 100u);
  EXPECT_EQ(FormatFixed(std::nan(""), 1), "n/a");
  EXPECT_EQ(FormatFixed(-kInfinity, 1), "n/a");
}

TEST(Format, SignificantDigitsShowSmallNumbers) {
  EXPECT_EQ(FormatSignificant(0.0123456, 3), "0.0123");
  EXPECT_EQ(FormatSignificant(4.5e-06, 3), "4.5e-06");
  EXPECT_EQ(FormatSignificant(-12.345, 3), "-12.3");
  EXPECT_EQ(FormatSignificant(-0.0, 3), "0");
  EXPECT_EQ(FormatSignificant(kInfinity, 3), "n/a");
}

TEST(Format, PercentHasADecimalBelowTen) {
  EXPECT_EQ(FormatPercent(0), "0%");
  EXPECT_EQ(FormatPercent(0.032), "3.2%");
  EXPECT_EQ(FormatPercent(0.09949), "9.9%");
  EXPECT_EQ(FormatPercent(0.0996), "10%");
  EXPECT_EQ(FormatPercent(0.614), "61%");
  EXPECT_EQ(FormatPercent(1), "100%");
  EXPECT_EQ(FormatPercent(-0.5), "-50%");
  EXPECT_EQ(FormatPercent(std::nan("")), "n/a");
}

TEST(Format, BytesTakeTheUnitThatFits) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(512), "512 B");
  EXPECT_EQ(FormatBytes(999.6), "1.0 kB");
  EXPECT_EQ(FormatBytes(1.5e9), "1.5 GB");
  EXPECT_EQ(FormatBytes(250e6), "250 MB");
  EXPECT_EQ(FormatBytes(2e18), "2,000 PB");
}

TEST(Format, DurationsHaveAtMostTwoUnits) {
  EXPECT_EQ(FormatEta(0), "ETA 0s");
  EXPECT_EQ(FormatEta(0.018), "ETA 1s");
  EXPECT_EQ(FormatEta(8.2), "ETA 9s");
  EXPECT_EQ(FormatEta(79.5), "ETA 1m 20s");
  EXPECT_EQ(FormatDuration(0), "0s");
  EXPECT_EQ(FormatDuration(0.0004), "0.4ms");
  EXPECT_EQ(FormatDuration(0.35), "350ms");
  EXPECT_EQ(FormatDuration(4.24), "4.2s");
  EXPECT_EQ(FormatDuration(45.3), "45s");
  EXPECT_EQ(FormatDuration(80), "1m 20s");
  EXPECT_EQ(FormatDuration(605), "10m 05s");
  EXPECT_EQ(FormatDuration(7500), "2h 05m");
  EXPECT_EQ(FormatDuration(3 * 86400 + 4 * 3600), "3d 04h");
  EXPECT_EQ(FormatDuration(-80), "-1m 20s");
  EXPECT_EQ(FormatDuration(std::nan("")), "n/a");
  EXPECT_EQ(FormatDuration(1e300), "n/a");
}

TEST(Format, DurationsNeverRoundToSixtyOfAUnit) {
  EXPECT_EQ(FormatDuration(0.9999), "1.0s");
  EXPECT_EQ(FormatDuration(9.97), "10s");
  EXPECT_EQ(FormatDuration(59.7), "1m 00s");
  EXPECT_EQ(FormatDuration(3599.6), "1h 00m");
  EXPECT_EQ(FormatDuration(86399), "1d 00h");
}

TEST(Format, ACountedNounAgreesWithItsCount) {
  EXPECT_EQ(FormatCounted(1, "batch", "batches"), "1 batch");
  EXPECT_EQ(FormatCounted(0, "batch", "batches"), "0 batches");
  EXPECT_EQ(FormatCounted(1200, "batch", "batches"), "1,200 batches");
  EXPECT_EQ(FormatCounted(1, "epoch"), "1 epoch");
  EXPECT_EQ(FormatCounted(2, "epoch"), "2 epochs");
}

}  // namespace
}  // namespace dray
