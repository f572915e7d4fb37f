#include "src/oracle/neural/sequence_weights.h"

#include <gtest/gtest.h>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/file.h"

namespace dray {
namespace {

const SequenceNetShape kTiny{.dim = 8, .layers = 1, .heads = 2, .hidden = 8, .pair_hidden = 4};

std::string Refused(std::string_view bytes) {
  try {
    ParseSequenceWeights(bytes, "some.bin");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "not refused";
}

// With a checksum that fits.
std::string Resealed(std::string bytes) {
  bytes.resize(bytes.size() - sizeof(uint32_t));
  const uint32_t checksum = Crc32c(bytes);
  return bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
}

TEST(SequenceWeights, ComeBackFromAFileAsTheyWere) {
  SequenceWeights weights = RandomSequenceWeights(kTiny, 1);
  weights.most_requests = 12;
  const std::string path = testing::TempDir() + "/weights.bin";
  WriteSequenceWeights(weights, path);
  const SequenceWeights read = ReadSequenceWeights(path);
  EXPECT_EQ(read.shape, weights.shape);
  EXPECT_EQ(read.most_requests, 12);
  EXPECT_EQ(read.values, weights.values);
}

TEST(SequenceWeights, EveryCutAndEveryChangedByteIsRefused) {
  const std::string bytes = SequenceWeightsBytes(RandomSequenceWeights(kTiny, 1));
  ASSERT_GT(bytes.size(), 100u);
  for (size_t i = 0; i < bytes.size(); i += i < 100 ? 1 : 97) {
    EXPECT_NE(Refused(bytes.substr(0, i)), "not refused") << i;
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_NE(Refused(changed), "not refused") << i;
  }
}

TEST(SequenceWeights, ErrorsNameTheFileAndTheRemedy) {
  const std::string bytes = SequenceWeightsBytes(RandomSequenceWeights(kTiny, 1));
  EXPECT_EQ(
      Refused("nonsense"),
      "some.bin: is not a file of weights for the neural oracle; //:train_oracle writes them");
  EXPECT_EQ(Refused(bytes.substr(0, bytes.size() - 5)),
            "some.bin: damaged: cut short or changed; copy it again or retrain it with "
            "//:train_oracle");
  std::string newer = bytes;
  newer[8] = 9;
  EXPECT_EQ(Refused(Resealed(newer)),
            "some.bin: weights of another version of the neural oracle (9, this is 1); train again "
            "with //:train_oracle");
}

TEST(SequenceWeights, AShapeThatDoesNotFitTheNumbersIsRefused) {
  std::string bytes = SequenceWeightsBytes(RandomSequenceWeights(kTiny, 1));
  bytes[24] = 16;  // dim
  EXPECT_NE(Refused(Resealed(bytes)), "not refused");
  bytes[24] = 0;
  EXPECT_NE(Refused(Resealed(bytes)), "not refused");
}

TEST(SequenceWeights, AMissingFileIsAMistakeOfTheUser) {
  try {
    ReadSequenceWeights("/nowhere/weights.bin");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_NE(std::string(error.what()).find("/nowhere/weights.bin"), std::string::npos);
  }
}

TEST(SequenceWeights, TheShippedOnesAreSoundAndSmall) {
  const SequenceWeights& weights = ShippedSequenceWeights();
  EXPECT_EQ(weights.shape, SequenceNetShape());
  EXPECT_EQ(weights.most_requests, 30);
  EXPECT_LE(SequenceWeightsBytes(weights).size(), 3'000'000u);
}

}  // namespace
}  // namespace dray
