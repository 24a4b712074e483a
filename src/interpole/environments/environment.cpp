#include "interpole/environment.hpp"

#include <fmt/format.h>

#include <array>

#include "interpole/error.hpp"

namespace interpole {
namespace {

struct Entry {
  const char* name;
  Environment (*make)();
};
constexpr std::array kEnvironments = {
    Entry{"diag", diag},          Entry{"bias", bias},     Entry{"tree", decision_tree},
    Entry{"adni", adni},          Entry{"ward", ward},     Entry{"kinds", two_kinds_ward},
    Entry{"starts", starts_ward}, Entry{"vitals", vitals}, Entry{"clinic", outpatient_clinic}};

}  // namespace

Environment environment_named(const std::string& name) {
  for (const Entry& entry : kEnvironments) {
    if (name == entry.name) return entry.make();
  }
  throw usage_error(fmt::format("there is no environment \"{}\"; choose one of: {}", name,
                                fmt::join(environment_names(), ", ")));
}

const std::vector<std::string>& environment_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    list.reserve(kEnvironments.size());
    for (const Entry& entry : kEnvironments) list.emplace_back(entry.name);
    return list;
  }();
  return names;
}

}  // namespace interpole
