#include "next_command.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "console.hpp"

namespace interpole::cli {
namespace {

// What a verb was given for a flag or a positional; empty: nothing.
std::vector<std::string> given(const CLI::App& verb, const std::string& name) {
  const CLI::Option* option = verb.get_option_no_throw(name);
  return option == nullptr || option->count() == 0 ? std::vector<std::string>() : option->results();
}

bool is_given(const CLI::App& verb, const std::string& name) {
  return !given(verb, name).empty();
}

// A template's words: {output} stands for the value of --output, {--data} for the flag and its values if it
// was given, or for --counts in its place. Empty if a value that is needed was not given, or went to standard
// output.
std::string filled_in(const CLI::App& verb, std::string_view words) {
  std::string text;
  while (!words.empty()) {
    const std::size_t open = std::min(words.find('{'), words.size());
    text += words.substr(0, open);
    words.remove_prefix(open);
    if (words.empty()) break;
    const std::size_t close = words.find('}');
    const std::string name(words.substr(1, close - 1));
    words.remove_prefix(close + 1);
    if (name.starts_with("--")) {
      const std::string flag = name == "--data" && is_given(verb, "--counts") ? "--counts" : name;
      for (const std::string& value : given(verb, flag))
        text += fmt::format(" {} {}", flag, shell_word(value));
      continue;
    }
    std::vector<std::string> values = given(verb, "--" + name);
    if (values.empty()) values = given(verb, name);
    if (values.empty() || values[0] == "-") return "";
    text += shell_word(values[0]);
  }
  return text;
}

// By verb. Those that are not here say it themselves (start, study init), or are ends.
const std::map<std::string, std::string_view>& next_commands() {
  static const std::map<std::string, std::string_view> commands = {
      {"study check", "interpole fit --study {study}{--data} --output model.json"},
      {"fit", "interpole report --model {output}{--study}{--data} --output report.html"},
      {"evaluate", "interpole check --model {model}{--study}{--data}"},
      {"compare", "interpole fit{--study}{--data} --output model.json"},
      {"beliefs", "interpole report --model {model}{--study}{--data} --output report.html"},
      {"explain",
       "interpole plot trajectory --model {model}{--study}{--data}{--patient} --output patient.svg"},
      {"audit", "interpole report --model {model}{--study}{--data} --output report.html"},
      {"bias", "interpole audit --model {model}{--study}{--data}"},
      {"check", "interpole bias --model {model}{--study}{--data}"},
      {"groups", "interpole fit{--study}{--data} --output model.json"},
      {"export", "interpole plan {output} --output policy.alpha"},
      {"plot", "interpole report --model {model}{--study}{--data} --output report.html"},
      {"report", "interpole serve --model {model}{--study}{--data}"},
      {"write-up", "interpole report --model {model}{--study}{--data} --output report.html"},
  };
  return commands;
}

// What the table above cannot say.
std::string next_of(const CLI::App& verb, const std::string& name) {
  if (name == "simulate") {
    if (is_given(verb, "--rows-per-file")) return "";
    const std::string environment = given(verb, "environment").at(0);
    const std::string study =
        environment == "adni" ? "studies/adni/adnimerge.toml" : fmt::format("studies/{}.toml", environment);
    const std::string rest = filled_in(verb, " --data {output} --output model.json");
    return rest.empty() ? "" : "interpole fit --study " + study + rest;
  }
  if (name == "fit" && (is_given(verb, "--states") || is_given(verb, "--algorithm"))) {
    return is_given(verb, "--states")
               ? filled_in(verb, "interpole fit{--study}{--data} --output model.json")
               : filled_in(verb, "interpole evaluate --model {output}{--study}{--data}");
  }
  // What would come next shows single patients, whom counts do not know.
  if ((name == "bias" || name == "report") && is_given(verb, "--counts")) return "";
  if (name == "study check" && !is_given(verb, "--data")) return "";
  if (name == "plot" && !is_given(verb, "--data")) return "";
  const auto it = next_commands().find(name);
  return it == next_commands().end() ? "" : filled_in(verb, it->second);
}

}  // namespace

void say_next_command(const CLI::App& program) {
  const CLI::App* verb = &program;
  std::string name;
  while (!verb->get_subcommands().empty()) {
    verb = verb->get_subcommands().front();
    name += (name.empty() ? "" : " ") + verb->get_name();
  }
  if (name.empty() || is_given(*verb, "--quiet") || is_given(*verb, "--json")) return;
  const std::string command = next_of(*verb, name);
  if (!command.empty()) Console(false).note("next: " + command);
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%#";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace interpole::cli
