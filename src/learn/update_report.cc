#include "src/learn/update_report.h"

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/metrics/table.h"

namespace dray {

std::string UpdateReport::ToBytes() const {
  ByteWriter out;
  out.Put(version);
  metrics.SaveValues(out);
  out.Put(merge_s);
  out.Put(learn_s);
  out.Put(published_unix_s);
  out.Put(signs);
  out.Put(divergence);
  out.Put(most_credible_value);
  out.Put<uint8_t>(restored);
  return out.Take();
}

UpdateReport UpdateReport::FromBytes(std::string_view bytes) {
  ByteReader in(bytes, "the summary of an update");
  UpdateReport report;
  report.version = in.Get<int64_t>();
  report.metrics.LoadValues(in);
  report.merge_s = in.Get<double>();
  report.learn_s = in.Get<double>();
  report.published_unix_s = in.Get<double>();
  report.signs = in.Get<UpdateSigns>();
  report.divergence = in.Get<Divergence>();
  report.most_credible_value = in.Get<double>();
  report.restored = in.Get<uint8_t>() != 0;
  in.ExpectEnd();
  for (const auto& [name, value] : report.metrics.values) {
    if (FindMetric(name) == nullptr) {
      throw Failure("the summary of an update is damaged: unknown metric ", name);
    }
  }
  return report;
}

}  // namespace dray
