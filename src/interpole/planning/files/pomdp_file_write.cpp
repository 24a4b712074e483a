#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/planning/files/pomdp_file.hpp"
#include "interpole/planning/files/pomdp_names.hpp"
#include "interpole/planning/files/pomdp_text.hpp"

namespace interpole::planning {
namespace {

// A name that any reader of the format takes.
std::string plain_name(const std::string& name, std::string_view kind) {
  std::string result;
  for (const char c : name) {
    const bool fits = is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
    result += fits ? c : '_';
  }
  return is_reserved_word(result) || result.empty() || !is_letter(result.front())
             ? fmt::format("{}_{}", kind, result)
             : result;
}

std::vector<std::string> plain_names(const std::vector<std::string>& names, std::string_view kind) {
  std::vector<std::string> result;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    std::string plain = plain_name(name, kind);
    while (!taken.insert(plain).second) plain += "_";
    result.push_back(std::move(plain));
  }
  return result;
}

bool are_counted(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != std::to_string(i)) return false;
  }
  return true;
}

// "states: left right", or "states: 2" where names are but numbers; a comment for each name that was changed.
std::string names_line(const char* what, std::string_view kind, const std::vector<std::string>& names) {
  if (are_counted(names)) return fmt::format("{}: {}\n", what, names.size());
  const auto plain = plain_names(names, kind);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (plain[i] == names[i]) continue;
    std::string original = names[i];
    std::replace_if(
        original.begin(), original.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    text += fmt::format("# {} is \"{}\"\n", plain[i], original);
  }
  return text + fmt::format("{}: {}\n", what, fmt::join(plain, " "));
}

std::string rows_text(std::span<const double> numbers, std::size_t columns) {
  std::string text;
  for (std::size_t at = 0; at < numbers.size(); at += columns) {
    text += fmt::format("{}\n", fmt::join(numbers.subspan(at, columns), " "));
  }
  return text;
}

std::string format_plain(const Pomdp& pomdp) {
  const std::size_t S = pomdp.states.size();
  const std::size_t Z = pomdp.observations.size();
  std::string text = fmt::format("discount: {}\nvalues: {}\n", pomdp.discount,
                                 pomdp.goal == Goal::kReward ? "reward" : "cost");
  text += names_line("states", "state", pomdp.states);
  text += names_line("actions", "action", pomdp.actions);
  text += names_line("observations", "observation", pomdp.observations);
  text += fmt::format("start: {}\n", fmt::join(pomdp.start, " "));
  const std::span T(pomdp.transition);
  const std::span O(pomdp.observation);
  for (std::size_t a = 0; a < pomdp.actions.size(); ++a) {
    text += fmt::format("\nT: {}\n{}", a, rows_text(T.subspan(a * S * S, S * S), S));
    text += fmt::format("O: {}\n{}", a, rows_text(O.subspan(a * S * Z, S * Z), Z));
    for (std::size_t s = 0; s < S; ++s) {
      text += fmt::format("R: {} : {} : * : * {}\n", a, s, pomdp.reward[a * S + s]);
    }
  }
  return text;
}

}  // namespace

std::string format_pomdp(const Pomdp& pomdp) {
  pomdp.validate("decision problem");
  const Pomdp plain = with_end_state(pomdp);
  if (plain.states.size() == pomdp.states.size()) return format_plain(plain);
  return fmt::format("# Actions that end the process lead to the state {}, which nothing leaves.\n{}",
                     plain.states.back(), format_plain(plain));
}

void write_pomdp(const Pomdp& pomdp, const std::string& path) {
  base::write_file_atomically(path, format_pomdp(pomdp));
}

}  // namespace interpole::planning
