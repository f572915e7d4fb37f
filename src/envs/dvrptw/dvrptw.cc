#include "src/envs/dvrptw/dvrptw.h"

#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/negotiate_env.h"
#include "src/envs/dvrptw/offer_env.h"

namespace dray {

std::unique_ptr<BatchEnv> MakeDvrptw(const EnvConfig& config, const EnvStreams& streams,
                                     int count) {
  const DvrptwConfig& dvrptw = config.GetExtension(dray::dvrptw);
  if (dvrptw.mode() == DvrptwConfig::OFFER) {
    return std::make_unique<OfferEnv>(dvrptw, streams, count);
  }
  return std::make_unique<NegotiateEnv>(dvrptw, streams, count);
}

}  // namespace dray
