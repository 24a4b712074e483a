#include "interpole/service/publication/disclosure_preset.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"

namespace interpole::service {
namespace {

constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kPresets = {
    {{"cms", 11}, {"nhs", 8}, {"ohdsi", 5}, {"datashield", 3}}};

}  // namespace

std::vector<std::string> disclosure_presets() {
  std::vector<std::string> names;
  names.reserve(kPresets.size());
  for (const auto& [name, min_cell] : kPresets) names.emplace_back(name);
  return names;
}

std::int64_t min_cell_of_preset(const std::string& name) {
  for (const auto& [known, min_cell] : kPresets) {
    if (name == known) return min_cell;
  }
  throw usage_error(fmt::format("option disclosure: there is no rule called {}{}", base::shown(name),
                                base::suggestion(name, disclosure_presets(), "known are")));
}

}  // namespace interpole::service
