#include "option_words.hpp"

#include <algorithm>
#include <set>

namespace interpole::cli {
namespace {

constexpr std::string_view kOption = "option";
constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
constexpr std::string_view kBeforeWord = " \n(";
constexpr std::string_view kAfterWord = " \n,;:)";

std::set<std::string, std::less<>>& flags() {
  static std::set<std::string, std::less<>> names;  // without dashes
  return names;
}

// The name that ends here, and the one that begins here; may be empty.
std::string_view name_before(std::string_view text) {
  const auto last = text.find_last_not_of(kNameLetters);
  return last == std::string_view::npos ? text : text.substr(last + 1);
}
std::string_view name_after(std::string_view text) {
  return text.substr(0, text.find_first_not_of(kNameLetters));
}

bool begins_word(std::string_view before) {
  return before.empty() || kBeforeWord.find(before.back()) != std::string_view::npos;
}

// Not "data" in "data.csv".
bool ends_word(std::string_view rest) {
  if (rest.starts_with('.')) rest.remove_prefix(1);
  return rest.empty() || kAfterWord.find(rest.front()) != std::string_view::npos;
}

// What is made of the words so far, and what is left of them.
struct Rewriting {
  std::string done;
  std::string_view rest;

  void take(std::size_t letters) {
    done += rest.substr(0, letters);
    rest.remove_prefix(std::min(letters, rest.size()));
  }

  // `rest` begins with "option": "learner option", where learner-option is a flag.
  bool take_kind_of_option() {
    if (!done.ends_with(' ')) return false;
    const std::string kind(name_before(std::string_view(done).substr(0, done.size() - 1)));
    const std::string flag = kind + "-option";
    if (!flags().contains(flag) || !ends_word(rest.substr(kOption.size()))) return false;
    done.resize(done.size() - 1 - kind.size());
    done += "--" + flag;
    rest.remove_prefix(kOption.size());
    return true;
  }

  // The same: "option draws", alone or as in "draws (option draws)".
  bool take_option() {
    if (!begins_word(done) || !rest.starts_with("option ")) return false;
    const std::string flag(name_after(rest.substr(kOption.size() + 1)));
    const std::string_view after = rest.substr(kOption.size() + 1 + flag.size());
    if (!flags().contains(flag) || !ends_word(after)) return false;
    const std::string named_before = flag + " (";
    const bool is_repeated = after.starts_with(')') && done.ends_with(named_before);
    if (is_repeated) done.resize(done.size() - named_before.size());
    done += "--" + flag;
    rest = after.substr(is_repeated ? 1 : 0);
    return true;
  }
};

}  // namespace

void know_flags(const CLI::App& program) {
  for (const CLI::Option* option : program.get_options()) {
    flags().insert(option->get_lnames().begin(), option->get_lnames().end());
  }
  for (const CLI::App* verb : program.get_subcommands({})) know_flags(*verb);
}

std::string with_flags(std::string_view words) {
  Rewriting text{{}, words};
  bool quoted = false;
  while (!text.rest.empty()) {
    if (!quoted && text.rest.starts_with(kOption) && (text.take_kind_of_option() || text.take_option())) {
      continue;
    }
    if (text.rest.front() == '"') quoted = !quoted;
    text.take(quoted && text.rest.front() == '\\' ? 2 : 1);
  }
  return text.done;
}

}  // namespace interpole::cli
