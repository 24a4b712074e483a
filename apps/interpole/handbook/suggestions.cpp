#include "handbook/suggestions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/messages.hpp"

namespace interpole::cli {
namespace {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = base::closest_name(word, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

const CLI::App* child_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* child : app.get_subcommands({})) {
    if (child->get_name() == name) return child;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

const CLI::App* verb_named(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* app = &program;
  for (const std::string& word : words) {
    app = child_named(*app, word);
    if (app == nullptr) return nullptr;
  }
  return app;
}

std::string suggestion_for(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* app = &program;
  for (const std::string& word : words) {
    if (word == "--") return "";
    if (const CLI::App* child = child_named(*app, word)) {
      app = child;
      continue;
    }
    const bool takes_verbs = !app->get_subcommands({}).empty();
    if (!word.starts_with('-') && takes_verbs) return did_you_mean(word, verbs_of(*app));
    if (!word.starts_with("--")) continue;
    const std::string flag = word.substr(0, word.find('='));
    const std::vector<std::string> flags = flags_of(*app);
    if (std::find(flags.begin(), flags.end(), flag) == flags.end()) return did_you_mean(flag, flags);
  }
  return "";
}

}  // namespace interpole::cli
