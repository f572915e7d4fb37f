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

// An actor, or the node it lived on, is gone, and with it the answer to a call.
class ActorLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where actors live that host the engine's roles (roles/role.h), and the store their results lie
// in. Calls are asynchronous: each gives the number of an object that can be waited for, fetched,
// or handed on as an argument without being fetched. Ray is one; a test has one in its own process.
// What went wrong apart from a lost actor is an Error. May be used by several threads.
class Cluster {
 public:
  virtual ~Cluster() = default;

  struct Info {
    std::string address;
    std::string dashboard;  // empty: there is none
    int nodes = 1;
    double cpus = 0, gpus = 0;            // of all nodes
    double free_cpus = 0, free_gpus = 0;  // not taken by others
    int64_t memory_bytes = 0;
    int64_t object_store_bytes = 0;
  };
  virtual const Info& info() const = 0;

  struct Bundle {
    double cpus = 0, gpus = 0;
  };
  // Sets resources aside, one bundle for each actor; `strategy` is one of Ray's.
  virtual void Reserve(const std::string& strategy, const std::vector<Bundle>& bundles,
                       double timeout_s) = 0;

  using Actor = int64_t;
  struct Request {
    std::string kind;  // of its role
    std::string name;
    std::string settings;  // of its role
    double cpus = 0, gpus = 0;
    int bundle = -1;  // of what was reserved; -1: anywhere
    int concurrency = 1;
    int max_restarts = 0;              // by the cluster itself; -1: always
    std::vector<std::string> oracles;  // names of the oracle actors, for who asks them
  };
  virtual Actor Start(const Request& request) = 0;
  // With restart, an actor that has restarts left comes back by itself.
  virtual void Kill(Actor actor, bool restart) = 0;

  // The number of an object; it is released with its last copy.
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

  // An object, or bytes when it is null.
  struct Argument {
    Argument(ObjectPtr of) : object(std::move(of)) {}
    Argument(std::string of) : bytes(std::move(of)) {}
    ObjectPtr object;
    std::string bytes;
  };
  virtual ObjectPtr Call(Actor actor, const std::string& method,
                         const std::vector<Argument>& arguments) = 0;
  virtual ObjectPtr Put(std::string_view bytes) = 0;

  // Which of them can be fetched, whatever comes of it; returns when one can, or after the time.
  virtual std::vector<bool> Wait(const std::vector<ObjectPtr>& objects, double timeout_s) = 0;
  virtual std::string Fetch(const Object& object, double timeout_s) = 0;

  // The numbers of a report, for the cluster's own metrics.
  virtual void Publish(int64_t epoch, std::span<const std::pair<std::string, double>> values) = 0;

 protected:
  virtual void Release(int64_t object) = 0;
};

}  // namespace dray
