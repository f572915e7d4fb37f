#include "src/nets/attention_shape.h"

#include "src/base/error.h"

namespace dray {

AttentionShape::AttentionShape(const EnvSpec& spec, const NetworkConfig& config, NetRole role)
    : tokens(spec.tokens.count),
      token_size(spec.tokens.size),
      context(spec.observation_size - tokens * token_size),
      width(config.attention_width()),
      heads(config.attention_heads()),
      outputs(OutputsOf(spec, role)),
      activation(config.activation()),
      price_coefficient(config.price_coefficient()) {
  if (tokens == 0 || spec.bag.width > 0) {
    throw UsageError("network.kind: attention needs an observation of tokens, which ", spec.name,
                     " does not give; use mlp");
  }
  DRAY_CHECK_GE(context, 0);
  if (width % heads != 0) {
    throw UsageError("network.attention_heads: ", heads,
                     " heads cannot share network.attention_width ", width, " evenly");
  }
  int64_t end = 0;
  const auto part = [&end](std::string name, int64_t in, int64_t out, bool biased = true) {
    LinearPart part{std::move(name), end, in, out, biased};
    end = part.end();
    return part;
  };
  embed = part("embed", token_size, width);
  for (int i = 0; i < config.attention_layers(); ++i) {
    const std::string name = Cat("rounds.", i, ".");
    Round round;
    round.look = part(name + "look", width, 3 * width);
    round.blend = part(name + "blend", width, width);
    round.up = part(name + "up", width, 2 * width);
    round.down = part(name + "down", 2 * width, width);
    rounds.push_back(std::move(round));
  }
  ask = part("ask", context + width, width);
  key = part("key", width, width, /*biased=*/false);
  answer = part("answer", width, width, /*biased=*/false);
  int64_t in = summary_size();
  for (const int size : config.hidden()) {
    hidden.push_back(part(Cat("hidden.", hidden.size()), in, size));
    in = size;
  }
  hidden.push_back(part(Cat("hidden.", hidden.size()), in, outputs));
  if (role == NetRole::kActor && spec.has_prices()) price = end++;
  parameter_count = end;
}

std::vector<LinearPart> AttentionShape::Parts() const {
  std::vector<LinearPart> parts = {embed};
  for (const Round& round : rounds) {
    parts.insert(parts.end(), {round.look, round.blend, round.up, round.down});
  }
  parts.insert(parts.end(), {ask, key, answer});
  parts.insert(parts.end(), hidden.begin(), hidden.end());
  return parts;
}

}  // namespace dray
