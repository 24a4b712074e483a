#include "interpole/base/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "interpole/base/text/printable.hpp"

namespace interpole::base {
namespace {

constexpr std::size_t kMostCharacters = 40;
constexpr std::size_t kMostNames = 8;
// Beyond this length two texts are not spelling variants of each other, and comparing them would cost too
// much.
constexpr std::size_t kLongestCompared = 200;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// How many letters have to be changed, added, removed or swapped with their neighbour. A change of case costs
// next to nothing, just enough to prefer the same case.
constexpr std::size_t kEdit = 1000;
std::size_t distance_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), above, two_above;
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = kEdit * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above.swap(above);
    above.swap(row);
    row.resize(b.size() + 1);
    row[0] = kEdit * i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : kEdit;
      row[j] = std::min({above[j - 1] + change, above[j] + kEdit, row[j - 1] + kEdit});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + kEdit);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string shown(std::string_view text) {
  std::string result = "\"";
  for (std::size_t characters = 0; !text.empty(); ++characters) {
    if (characters == kMostCharacters) return result + "…\"";
    const FrontCharacter front = front_character(text);
    if (front.code == '"' || front.code == '\\') {
      result += {'\\', static_cast<char>(front.code)};
    } else if (!front.valid || front.code < 0x20 || front.code == 0x7F) {
      result += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(front.code));
    } else if (is_steering(front.code)) {
      result += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(front.code));
    } else {
      result += text.substr(0, front.bytes);
    }
    text.remove_prefix(front.bytes);
  }
  return result + "\"";
}

std::string closest_name(std::string_view text, std::span<const std::string> names) {
  const std::string* nearest = nullptr;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string& name : names) {
    if (std::max(name.size(), text.size()) > kLongestCompared) continue;
    const std::size_t distance = distance_between(text, name);
    const std::size_t edits = distance / kEdit;
    // Near: at most a third of the letters differ. One is always forgiven, unless it is the whole name.
    const std::size_t longer = std::max(name.size(), text.size());
    const bool near = edits <= std::max<std::size_t>(1, longer / 3) && edits < longer;
    if (near && distance < least) {
      least = distance;
      nearest = &name;
    }
  }
  return nearest == nullptr ? std::string() : *nearest;
}

std::string name_list(std::span<const std::string> names) {
  std::string result;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    result += (i == 0 ? "" : ", ") + shown(names[i]);
  }
  return names.size() > kMostNames ? result + ", …" : result;
}

std::string suggestion(std::string_view text, std::span<const std::string> names, std::string_view list) {
  const std::string nearest = closest_name(text, names);
  if (!nearest.empty()) return fmt::format("; did you mean {}?", shown(nearest));
  return fmt::format("; {} {}", list, name_list(names));
}

}  // namespace interpole::base
