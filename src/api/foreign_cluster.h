#pragma once

#include <string>
#include <vector>

#include "src/api/dray.h"
#include "src/cluster/cluster.h"

namespace dray {

// A cluster that is implemented on the other side of the facade.
class ForeignCluster : public Cluster {
 public:
  // Connects to the cluster.
  ForeignCluster(const dray_cluster& table, const std::string& run_name);
  ~ForeignCluster() override;

  const Info& info() const override { return info_; }
  void Reserve(const std::string& strategy, const std::vector<Bundle>& bundles,
               double timeout_s) override;
  Actor Start(const Request& request) override;
  void Kill(Actor actor, bool restart) override;
  ObjectPtr Call(Actor actor, const std::string& method,
                 const std::vector<Argument>& arguments) override;
  ObjectPtr Put(std::string_view bytes) override;
  std::vector<bool> Wait(const std::vector<ObjectPtr>& objects, double timeout_s) override;
  std::string Fetch(const Object& object, double timeout_s) override;
  void Publish(int64_t epoch, std::span<const std::pair<std::string, double>> values) override;

 protected:
  void Release(int64_t object) override;

 private:
  void Check(int status) const;

  const dray_cluster& table_;
  Info info_;
};

}  // namespace dray
