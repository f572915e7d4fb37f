#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dray {

// An actor or its node is gone, and with it the answer to a call.
class ActorLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Hosts actors with the engine's roles (roles/role.h), and the store for their results. Calls are
// asynchronous: each returns the number of an object that can be waited for, fetched, or passed on
// as an argument without being fetched. Ray is one implementation; tests have another in their own
// process. Failures other than a lost actor are Errors. Thread-safe.
class Cluster {
 public:
  virtual ~Cluster() = default;

  struct Info {
    std::string address;
    std::string dashboard;  // empty: none
    int nodes = 1;
    double cpus = 0, gpus = 0;            // sum over all nodes
    double free_cpus = 0, free_gpus = 0;  // not used by others
    int64_t memory_bytes = 0;
    int64_t object_store_bytes = 0;
  };
  virtual const Info& info() const = 0;

  struct Bundle {
    double cpus = 0, gpus = 0;
  };
  // Reserves resources, one bundle per actor; `strategy` is one of Ray's.
  virtual void Reserve(const std::string& strategy, const std::vector<Bundle>& bundles,
                       double timeout_s) = 0;

  using Actor = int64_t;
  struct Request {
    std::string kind;  // kind of its role
    std::string name;
    std::string settings;  // RoleSettings of its role
    double cpus = 0, gpus = 0;
    int bundle = -1;  // index among the reserved bundles; -1: anywhere
    int concurrency = 1;
    int max_restarts = 0;              // restarts by the cluster itself; -1: no limit
    std::vector<std::string> oracles;  // names of the oracle actors that it may call
  };
  virtual Actor Start(const Request& request) = 0;
  // Ends an actor. If `restart`, the cluster restarts it as long as it has restarts left.
  virtual void Kill(Actor actor, bool restart) = 0;

  // Reference to an object, which is released with the last reference.
  class Object {
   public:
    Object(Cluster& cluster, int64_t number) : cluster_(cluster), number_(number) {}
    ~Object() { cluster_.Release(number_); }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    int64_t number() const { return number_; }

   private:
    Cluster& cluster_;
    int64_t number_;
  };
  using ObjectPtr = std::shared_ptr<const Object>;

  // An object, or bytes if the object is null.
  struct Argument {
    Argument(ObjectPtr of) : object(std::move(of)) {}
    Argument(std::string of) : bytes(std::move(of)) {}
    ObjectPtr object;
    std::string bytes;
  };
  virtual ObjectPtr Call(Actor actor, const std::string& method,
                         const std::vector<Argument>& arguments) = 0;
  virtual ObjectPtr Put(std::string_view bytes) = 0;

  // Waits until an object can be fetched (successfully or not) or the time is over; returns which
  // ones can.
  virtual std::vector<bool> Wait(const std::vector<ObjectPtr>& objects, double timeout_s) = 0;
  virtual std::string Fetch(const Object& object, double timeout_s) = 0;

  // Publishes the numbers of a report among the cluster's own metrics.
  virtual void Publish(int64_t epoch, std::span<const std::pair<std::string, double>> values) = 0;

 protected:
  virtual void Release(int64_t object) = 0;
};

}  // namespace dray
