#pragma once

#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/monitor.h"
#include "src/envs/cage2/network.h"
#include "src/envs/cage2/state.h"

// The shipped network, by the names of its parts: what most tests play in.

namespace dray::cage2 {

inline constexpr int kHosts = 13;
inline constexpr Host kDefender{0};
inline constexpr Host kEnterprise0{1};
inline constexpr Host kEnterprise1{2};
inline constexpr Host kEnterprise2{3};
inline constexpr Host kOpHost0{4};
inline constexpr Host kOpHost1{5};
inline constexpr Host kOpHost2{6};
inline constexpr Host kOpServer0{7};
inline constexpr Host kUser0{8};
inline constexpr Host kUser1{9};
inline constexpr Host kUser2{10};
inline constexpr Host kUser3{11};
inline constexpr Host kUser4{12};

inline constexpr HostMask kAllHosts = (1u << kHosts) - 1;
inline constexpr HostMask kEnterpriseHosts = 0b1110;  // without Defender
inline constexpr HostMask kOperationalHosts = 0xf0;
inline constexpr HostMask kUserHosts = 0x1f00;

inline constexpr Subnet kEnterpriseSubnet{0};
inline constexpr Subnet kOperationalSubnet{1};
inline constexpr Subnet kUserSubnet{2};

inline constexpr int kBlueActions = 145;

inline const HostFacts& FactsOf(int host) {
  return ShippedNetwork().facts[static_cast<size_t>(host)];
}
inline std::string PortsText(PortMask ports) { return PortsText(ports, ShippedNetwork()); }
constexpr int ActionId(BlueKind kind, int host) {
  return kFirstOnHost + kHosts * static_cast<int>(kind) + host;
}
inline BlueAction BlueActionOf(int id) { return BlueActionOf(id, ShippedNetwork()); }
inline std::string ActionName(int id) { return ActionName(id, ShippedNetwork()); }

inline State Start() { return StartOf(ShippedNetwork(), RedAgent::kSleep); }
inline bool Plausible(const State& state) { return Plausible(state, ShippedNetwork()); }
inline int ObservationShift(int host) { return ShippedNetwork().shift(host); }
inline Compromised CompromisedOf(const State& state, int host) {
  return CompromisedOf(state, host, ShippedNetwork());
}
inline void SetCompromised(State& state, int host, Compromised value) {
  SetCompromised(state, host, value, ShippedNetwork());
}
inline Activity ActivityIn(uint64_t observation, int host) {
  return ActivityIn(observation, host, ShippedNetwork());
}
inline Compromised CompromisedIn(uint64_t observation, int host) {
  return CompromisedIn(observation, host, ShippedNetwork());
}

}  // namespace dray::cage2
