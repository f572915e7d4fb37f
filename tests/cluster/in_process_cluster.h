#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "src/cluster/cluster.h"
#include "src/cluster/roles/role.h"

namespace dray {

// A cluster of threads: real roles, one thread per call, and a test that may strike at any call.
class InProcessCluster : public Cluster {
 public:
  explicit InProcessCluster(Info info);
  ~InProcessCluster() override;

  // What befalls a call, by the actor's name, the method, and how often this actor was so called.
  // kAnswerIsLost: it is carried out, and the calls before it are answered, but it is not.
  enum class Fate { kNothing, kDiesBefore, kDiesAfter, kHangs, kResultIsLost, kAnswerIsLost };
  using Strike = std::function<Fate(const std::string& actor, const std::string& method, int nth)>;
  void set_strike(Strike strike) { strike_ = std::move(strike); }

  // All that were started, in order.
  std::vector<std::string> started() const;
  std::set<std::string> alive() const;
  size_t objects() const;
  std::vector<std::pair<int64_t, size_t>> published() const;  // epoch, numbers
  std::string reserved() const;

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
  struct Outcome {
    bool ready = false;
    bool lost = false;
    std::string error;
    std::string bytes;
  };
  struct Host {
    std::string name;
    std::shared_ptr<Role> role;
    bool alive = true;
    bool doomed = false;  // dies when a call under way ends: no other one is answered any more
    std::map<std::string, int> calls;
    std::vector<std::shared_ptr<Outcome>> open;
  };

  ObjectPtr NewObject(std::shared_ptr<Outcome> outcome);
  void Settle(Outcome& outcome, std::string bytes, std::string error, bool lost);
  void Die(Host& host);

  const Info info_;
  Strike strike_;
  mutable std::mutex mutex_;
  std::condition_variable settled_;
  std::map<Actor, Host> hosts_;
  std::vector<std::string> started_;
  std::map<int64_t, std::shared_ptr<Outcome>> objects_;
  int64_t next_ = 0;
  std::vector<std::thread> threads_;
  std::vector<std::pair<int64_t, size_t>> published_;
  std::string reserved_;
};

}  // namespace dray
