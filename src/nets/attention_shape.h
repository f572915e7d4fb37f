#pragma once

#include <cstdint>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/nets/linear.h"
#include "src/nets/net_role.h"

namespace dray {

// Structure of an attention network and the layout of its parameters. An observation is a list of
// tokens followed by a context. Each token is embedded in `width` numbers (linear, ReLU). In each
// round, all present tokens attend to each other: multi-head self-attention, then two linear layers
// with a ReLU between them, both with residual connections. Attention pooling follows: the context
// and the last token form one query to all tokens; the answer, the last token and the context go
// through the hidden layers. If the context ends with a number per action (its price), a learned
// multiple of it is added to the actor's logits.
struct AttentionShape {
  // Throws an Error for a task without tokens.
  AttentionShape(const EnvSpec& spec, const NetworkConfig& config, NetRole role);

  int64_t observation_size() const { return tokens * token_size + context; }
  int64_t head_width() const { return width / heads; }
  // Input size of the hidden layers: answer, last token, context.
  int64_t summary_size() const { return 2 * width + context; }

  int64_t tokens, token_size, context, width, heads, outputs;
  Activation activation;  // activation of the hidden layers

  LinearPart embed;
  struct Round {
    LinearPart look;  // width -> queries, keys, values
    LinearPart blend;
    LinearPart up;  // width -> 2 width
    LinearPart down;
  };
  std::vector<Round> rounds;
  LinearPart ask;          // context and last token -> query
  LinearPart key, answer;  // both without biases
  std::vector<LinearPart> hidden;
  int64_t price = -1;  // index of the price coefficient; -1: none
  double price_coefficient;
  int64_t parameter_count = 0;

  // All layers in the order of their parameters.
  std::vector<LinearPart> Parts() const;
};

}  // namespace dray
