#include "src/envs/dvrptw/dvrptw.h"

#include "src/base/error.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/negotiate_env.h"

namespace dray {

std::unique_ptr<BatchEnv> MakeDvrptw(const EnvConfig& config, const EnvStreams& streams,
                                     int count) {
  const DvrptwConfig& dvrptw = config.GetExtension(dray::dvrptw);
  if (dvrptw.mode() == DvrptwConfig::OFFER) {
    throw UsageError("env.dvrptw.mode: offer is not there yet; use negotiate");
  }
  return std::make_unique<NegotiateEnv>(dvrptw, streams, count);
}

}  // namespace dray
