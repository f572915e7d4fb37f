#include "src/commands/train_oracle_options.h"

#include <vector>

#include "src/base/error.h"
#include "src/commands/command_flags.h"
#include "src/config/user_path.h"

namespace dray {
namespace {

std::vector<CommandFlag> Flags(TrainOracleOptions& o) {
  constexpr int kMany = 1'000'000'000;
  using Text = const std::string&;
  return {
      {"out", "FILE", "where the weights go, anew after every validation",
       [&o](Text, Text v) { o.out = UserPath(v); }},
      {"curve", "FILE", "one JSON object per validation (default: OUT.jsonl)",
       [&o](Text, Text v) { o.curve = UserPath(v); }},
      {"resume", "FILE", "begin with these weights and their shape",
       [&o](Text, Text v) { o.resume = UserPath(v); }},
      {"minutes", "M", "how long to train (default 10)",
       [&o](Text t, Text v) { o.minutes = RealNumber(t, v, 0, 100'000); }},
      {"steps", "N", "train so many steps instead",
       [&o](Text t, Text v) { o.steps = WholeNumber(t, v, 1, kMany); }},
      {"batch", "N", "problems per step (default 256)",
       [&o](Text t, Text v) { o.batch = WholeNumber(t, v, 1, 1'000'000); }},
      {"starts", "K", "orders drawn of each problem (default 32)",
       [&o](Text t, Text v) { o.starts = WholeNumber(t, v, 2, 4096); }},
      {"requests-min", "N", "requests of the smallest problems (default 1)",
       [&o](Text t, Text v) { o.requests_min = WholeNumber(t, v, 1, 1000); }},
      {"requests-max", "N", "requests of the largest problems (default 30)",
       [&o](Text t, Text v) { o.requests_max = WholeNumber(t, v, 1, 1000); }},
      {"learning-rate", "R", "Adam's, at its highest (default 3e-4)",
       [&o](Text t, Text v) { o.learning_rate = RealNumber(t, v, 0, 1); }},
      {"dim", "N", "of a request's embedding (default 128)",
       [&o](Text t, Text v) { o.shape.dim = WholeNumber(t, v, 1, 1024); }},
      {"layers", "N", "of the encoder (default 3)",
       [&o](Text t, Text v) { o.shape.layers = WholeNumber(t, v, 1, 32); }},
      {"heads", "N", "of attention (default 8)",
       [&o](Text t, Text v) { o.shape.heads = WholeNumber(t, v, 1, 64); }},
      {"hidden", "N", "units of a layer's perceptron (default 512)",
       [&o](Text t, Text v) { o.shape.hidden = WholeNumber(t, v, 1, 8192); }},
      {"seed", "S", "of problems and weights (default 1)",
       [&o](Text t, Text v) { o.seed = AnySeed(t, v); }},
      {"device", "NAME", "auto (default), cpu or cuda",
       [&o](Text t, Text v) {
         o.device = OneOf(t, v, {"auto", "cpu", "cuda"});
       }},
      {"threads", "N", "that make problems and price plans (default: one per core)",
       [&o](Text t, Text v) { o.threads = WholeNumber(t, v, 1, 1024); }},
      {"validation", "N", "problems kept apart to judge by (default 256)",
       [&o](Text t, Text v) { o.validation = WholeNumber(t, v, 1, 100'000); }},
      {"validate-every", "N", "steps (default 250)",
       [&o](Text t, Text v) { o.validate_every = WholeNumber(t, v, 1, kMany); }},
      {"reference-rounds", "N", "of ruin_recreate, best of 3, that gaps refer to (default 3000)",
       [&o](Text t, Text v) { o.reference_rounds = WholeNumber(t, v, 0, 1'000'000); }},
      {"help", "", "print this", [&o](Text, Text) { o.help = true; }},
  };
}

}  // namespace

TrainOracleOptions ParseTrainOracleOptions(std::span<const std::string> arguments) {
  TrainOracleOptions options;
  if (AsksForHelp(arguments)) {
    options.help = true;
    return options;
  }
  ReadFlags(Flags(options), arguments);
  if (options.out.empty())
    throw UsageError("--out: where should the weights go? Name a file: --out weights.bin");
  if (options.requests_min > options.requests_max) {
    throw UsageError("--requests-min ", options.requests_min, ": is above --requests-max ",
                     options.requests_max);
  }
  if (options.shape.dim % options.shape.heads != 0) {
    throw UsageError("--dim ", options.shape.dim, ": is not a multiple of --heads ",
                     options.shape.heads);
  }
  if (options.curve.empty()) options.curve = options.out + ".jsonl";
  return options;
}

std::string TrainOracleHelp() {
  TrainOracleOptions unused;
  return "usage: train_oracle --out FILE [--flag value | --flag=value] ...\n\n"
         "Trains the neural routing oracle and writes its weights.\n\n" +
         FlagsHelp(Flags(unused)) +
         "\nexamples:\n"
         "  train_oracle --out weights.bin --minutes 10 --device cuda\n"
         "  train_oracle --out small.bin --steps 200 --batch 32 --requests-max 10 --dim 32\n";
}

}  // namespace dray
