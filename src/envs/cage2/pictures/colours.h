#pragma once

namespace dray::cage2::colours {

inline constexpr char kPrivileged[] = "#c0392b";
inline constexpr char kSession[] = "#f1b3a6";
inline constexpr char kAttack[] = "#7b1e12";
inline constexpr char kFix[] = "#1f5fa8";
inline constexpr char kUseless[] = "#9db8d6";
inline constexpr char kDecoy[] = "#2e8b57";
inline constexpr char kLook[] = "#8a6d1d";
inline constexpr char kViolation[] = "#e67e22";
inline constexpr char kGrid[] = "#dddddd";
inline constexpr char kText[] = "#222222";

}  // namespace dray::cage2::colours
