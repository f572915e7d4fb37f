#pragma once

#include <cstdint>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/nets/linear.h"
#include "src/nets/net_role.h"

namespace dray {

// What an attention network is made of, and where its parameters are. An observation is tokens,
// then a context. Each token becomes `width` numbers (linear, ReLU). In each round, all tokens that
// are there attend to each other: heads of self-attention, then two linear layers with a ReLU
// between, both added to what was. Then attention pooling: the context and the last token make one
// query to all tokens; the answer, the last token and the context go through the hidden layers.
// Where the context ends in a number per action, the actor's logits also have a learned multiple of
// these: the price of each action.
struct AttentionShape {
  // A task without tokens is an Error.
  AttentionShape(const EnvSpec& spec, const NetworkConfig& config, NetRole role);

  int64_t observation_size() const { return tokens * token_size + context; }
  int64_t head_width() const { return width / heads; }
  // What the hidden layers see: answer, last token, context.
  int64_t summary_size() const { return 2 * width + context; }

  int64_t tokens, token_size, context, width, heads, outputs;
  Activation activation;  // between the hidden layers

  LinearPart embed;
  struct Round {
    LinearPart look;  // width -> queries, keys, values
    LinearPart blend;
    LinearPart up;  // width -> 2 width
    LinearPart down;
  };
  std::vector<Round> rounds;
  LinearPart ask;          // context and last token -> query
  LinearPart key, answer;  // without biases
  std::vector<LinearPart> hidden;
  int64_t price = -1;  // where the coefficient of the prices is; -1: there is none
  double price_coefficient;
  int64_t parameter_count = 0;

  // Every layer in the order of the parameters.
  std::vector<LinearPart> Parts() const;
};

}  // namespace dray
