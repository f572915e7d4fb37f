#include "src/envs/cage2/scenario/image.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {
namespace {

// Kind of service that an exploit must match; kOther matches none.
enum class Kind { kOther, kFtp, kSmtp, kMysql, kWeb, kSmb, kRdp, kSsh };

// The kind of service that each exploit attacks.
constexpr std::array<Kind, kExploits> kAttacked = {Kind::kFtp, Kind::kSmtp, Kind::kMysql,
                                                   Kind::kWeb, Kind::kWeb,  Kind::kSmb,
                                                   Kind::kRdp, Kind::kSsh};

struct KindName {
  std::string_view name;
  Kind kind;
};

// CybORG's names, in lower case. Those of kOther are known to it, but to no exploit.
constexpr std::array<KindName, 15> kKindNames = {{
    {"ssh", Kind::kSsh},
    {"sshd", Kind::kSsh},
    {"sshd.exe", Kind::kSsh},
    {"femitter", Kind::kFtp},
    {"smtp", Kind::kSmtp},
    {"mysql", Kind::kMysql},
    {"webserver", Kind::kWeb},
    {"web server", Kind::kWeb},
    {"http", Kind::kWeb},
    {"https", Kind::kWeb},
    {"smb", Kind::kSmb},
    {"rdp", Kind::kRdp},
    {"svchost", Kind::kOther},
    {"netcat", Kind::kOther},
    {"unknown", Kind::kOther},
}};

std::string LowerCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

const KindName* FindKind(const std::string& text) {
  const auto found = std::ranges::find(kKindNames, LowerCase(text), &KindName::name);
  return found == kKindNames.end() ? nullptr : &*found;
}

// A process is what its type says, and without one what its name says; a name that nobody knows is
// a program that no exploit attacks.
Kind KindOf(const Entry& process) {
  if (const auto type = process.Find("Process Type")) {
    if (const KindName* found = FindKind(type->Text())) return found->kind;
    throw type->Refusal("'", type->Text(),
                        "' is not a supported kind of service; use ssh, femitter, smtp, "
                        "mysql, webserver, smb or rdp, or leave the key out");
  }
  const auto name = process.Find("Process Name");
  const KindName* found = name ? FindKind(name->Text()) : nullptr;
  return found == nullptr ? Kind::kOther : found->kind;
}

// Returns a list of words; accepts a single word.
bool HasProperty(const Entry& process, std::string_view wanted) {
  const auto properties = process.Find("Properties");
  if (!properties) return false;
  if (!properties->IsList() && !properties->node().IsNull())
    return properties->Text().find(wanted) != std::string::npos;
  return std::ranges::any_of(properties->Items(),
                             [&](const Entry& item) { return item.Text() == wanted; });
}

void ExpectOldHaraka(const Entry& process) {
  constexpr std::string_view kVersion = "haraka 2.7.0";
  const Entry version = process.At("Process Version");
  if (LowerCase(version.Text()) != kVersion)
    throw version.Refusal("the rules know one mail server, ", kVersion);
}

// Returns true if exploits of its kind fail although they match.
bool Withstands(Kind kind, const Entry& process, bool windows) {
  if (kind == Kind::kWeb) return !HasProperty(process, "rfi");
  return kind == Kind::kSmb && !windows;
}

bool IsPrivileged(const Entry& user, bool windows) {
  const std::string name = user.Text();
  if (name == (windows ? "root" : "SYSTEM")) {
    throw user.Refusal(name, " has no privileges on ", windows ? "Windows" : "Linux",
                       " that the rules know");
  }
  return name == (windows ? "SYSTEM" : "root");
}

void AddServices(const Entry& process, Image& image) {
  process.Pairs({"Connections", "PID", "PPID", "Path", "Process Name", "Process Type",
                 "Process Version", "Properties", "Username"});
  const auto connections = process.Find("Connections");
  if (!connections) return;
  const Kind kind = KindOf(process);
  const auto user = process.Find("Username");
  const bool privileged = user && IsPrivileged(*user, image.windows);
  // A guessed password logs in as that user, whoever runs the service.
  Service service = {.withstands = Withstands(kind, process, image.windows),
                     .privileged = privileged && kind != Kind::kSsh};
  for (const Entry& connection : connections->Items()) {
    service.port = connection.At("local_port").Whole();
    service.attacked_by = 0;
    for (int i = 0; i < kExploits; ++i) {
      const size_t exploit = i;
      if (kAttackedPorts[exploit] == service.port && kAttacked[exploit] == kind)
        service.attacked_by = 1u << i;
    }
    if (kind == Kind::kSmtp && service.attacked_by != 0) ExpectOldHaraka(process);
    image.services.push_back(service);
  }
}

bool IsTrue(const Entry& value) { return LowerCase(value.Text()) == "true"; }

// The first user whose password can be guessed is the one that a guesser logs in as.
bool HasGuessableUser(const Entry& image) {
  const auto users = image.Find("User Info");
  if (!users) return false;
  for (const Entry& user : users->Items()) {
    const auto guessable = user.Find("Bruteforceable");
    if (!guessable || !IsTrue(*guessable)) continue;
    const std::string name = user.At("Username").Text();
    if (name == "root" || name == "SYSTEM") {
      throw guessable->Refusal("the rules have no guessed log-in of ", name,
                               "; a guessed user has no privileges");
    }
    return true;
  }
  return false;
}

// Red stops the service by the id of its process.
bool RunsServer(const Entry& image) {
  const auto services = image.Find("Services");
  if (!services) return false;
  for (const auto& [name, service] : services->Pairs()) {
    if (name != kServerService)
      throw service.Refusal("the rules know one service by name, ", kServerService);
    if (!IsTrue(service.At("active"))) throw service.Refusal("must be active");
    const Entry pid = service.At("PID");
    const std::vector<Entry> processes = image.At("Processes").Items();
    const bool runs = std::ranges::any_of(processes, [&](const Entry& process) {
      const auto process_name = process.Find("Process Name");
      return process_name && process_name->Text() == kServerService &&
             process.At("PID").Whole() == pid.Whole();
    });
    if (!runs) throw pid.Refusal("no process named ", kServerService, " has this PID");
    return true;
  }
  return false;
}

}  // namespace

Image ReadImage(const Entry& entry) {
  entry.Pairs({"Processes", "System info", "User Info", "Services"});
  Image image;
  const Entry system = entry.At("System info");
  if (const auto patches = system.Find("Patches"))
    throw patches->Refusal("the rules know no patches; leave a patched service out");
  image.windows = system.At("OSType").OneOf({"LINUX", "WINDOWS"}) == 1;
  const Entry processes = entry.At("Processes");
  for (const Entry& process : processes.Items()) AddServices(process, image);
  if (image.services.empty())
    throw processes.Refusal("nothing listens on a port; the rules need one service at least");
  if (image.services.size() > 100) throw processes.Refusal("more than 100 services");
  image.ssh_user = HasGuessableUser(entry);
  image.runs_server = RunsServer(entry);
  return image;
}

}  // namespace dray::cage2
