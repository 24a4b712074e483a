#include <fmt/format.h>

#include "interpole/error.hpp"
#include "interpole/priors.hpp"

namespace interpole {

PolicyUse policy_use_named(const std::string& name) {
  if (name == "belief") return PolicyUse::kBelief;
  if (name == "auto") return PolicyUse::kAuto;
  if (name == "full") return PolicyUse::kFull;
  throw usage_error(fmt::format("option policy: \"{}\" is not known; choose belief, auto or full", name));
}

std::string name_of(PolicyUse use) {
  return use == PolicyUse::kBelief ? "belief" : use == PolicyUse::kAuto ? "auto" : "full";
}

}  // namespace interpole
