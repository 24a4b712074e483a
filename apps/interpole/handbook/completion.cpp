#include "handbook/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <vector>

#include "handbook/suggestions.hpp"
#include "interpole/error.hpp"

namespace interpole::cli {
namespace {

// Every verb with the words that name it: "fit", "study check".
void for_each_verb(const CLI::App& app, const std::string& words,
                   const std::function<void(const CLI::App&, const std::string&)>& visit) {
  for (const CLI::App* verb : app.get_subcommands({})) {
    const std::string name = words.empty() ? verb->get_name() : words + " " + verb->get_name();
    visit(*verb, name);
    for_each_verb(*verb, name, visit);
  }
}

std::vector<std::string> words_after(const CLI::App& app) {
  std::vector<std::string> words = verbs_of(app);
  for (const std::string& flag : flags_of(app)) words.push_back(flag);
  return words;
}

// A description in single quotes, for a shell; one line.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "’";
    } else {
      result += c == '\n' ? ' ' : c;
    }
  }
  return result + "'";
}

std::string bash_script(const CLI::App& program) {
  std::string cases = fmt::format("    \"\") words=\"{}\" ;;\n", fmt::join(words_after(program), " "));
  std::string nested;
  for_each_verb(program, "", [&](const CLI::App& verb, const std::string& name) {
    cases += fmt::format("    \"{}\") words=\"{}\" ;;\n", name, fmt::join(words_after(verb), " "));
    if (!verb.get_subcommands({}).empty()) nested += (nested.empty() ? "" : "|") + name;
  });
  return fmt::format(
      "# Completion of interpole in bash.\n"
      "_interpole() {{\n"
      "  local word verb=\"\" words i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    word=\"${{COMP_WORDS[i]}}\"\n"
      "    case \"$word\" in -*) break ;; esac\n"
      "    case \"$verb\" in\n"
      "      \"\") verb=\"$word\" ;;\n"
      "      {}) verb=\"$verb $word\"; break ;;\n"
      "      *) break ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$verb\" in\n{}"
      "    *) words=\"\" ;;\n"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${{COMP_WORDS[COMP_CWORD]}}\"))\n"
      "}}\n"
      "complete -o default -F _interpole interpole\n",
      nested, cases);
}

std::string zsh_list(const CLI::App& app) {
  std::string list;
  const auto add = [&](const std::string& word, const std::string& words) {
    list += " " + in_quotes(word + ":" + words);
  };
  for (const CLI::App* verb : app.get_subcommands({})) add(verb->get_name(), verb->get_description());
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) add("--" + name, option->get_description());
  }
  return list;
}

std::string zsh_script(const CLI::App& program) {
  std::string cases = fmt::format("    \"\") list=({} ) ;;\n", zsh_list(program));
  std::string nested;
  for_each_verb(program, "", [&](const CLI::App& verb, const std::string& name) {
    cases += fmt::format("    \"{}\") list=({} ) ;;\n", name, zsh_list(verb));
    if (!verb.get_subcommands({}).empty()) nested += (nested.empty() ? "" : "|") + name;
  });
  return fmt::format(
      "#compdef interpole\n"
      "_interpole() {{\n"
      "  local verb=\"\" i\n"
      "  local -a list\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n"
      "    case \"${{words[i]}}\" in -*) break ;; esac\n"
      "    case \"$verb\" in\n"
      "      \"\") verb=\"${{words[i]}}\" ;;\n"
      "      {}) verb=\"$verb ${{words[i]}}\"; break ;;\n"
      "      *) break ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$verb\" in\n{}"
      "    *) list=() ;;\n"
      "  esac\n"
      "  _describe 'interpole' list\n"
      "  _files\n"
      "}}\n"
      "_interpole \"$@\"\n",
      nested, cases);
}

std::string fish_script(const CLI::App& program) {
  std::string text = "# Completion of interpole in fish.\n";
  const auto add_verbs = [&](const CLI::App& app, const std::string& condition) {
    for (const CLI::App* verb : app.get_subcommands({})) {
      text += fmt::format("complete -c interpole -n '{}' -a {} -d {}\n", condition, verb->get_name(),
                          in_quotes(verb->get_description()));
    }
  };
  add_verbs(program, "__fish_use_subcommand");
  for_each_verb(program, "", [&](const CLI::App& verb, const std::string& name) {
    std::string condition;
    std::string rest = name;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      condition += fmt::format("{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ",
                               rest.substr(0, end));
      rest.erase(0, end + 1);
    }
    add_verbs(verb, condition);
    for (const CLI::Option* option : verb.get_options()) {
      for (const std::string& flag : option->get_lnames()) {
        text += fmt::format("complete -c interpole -n '{}' -l {} -d {}\n", condition, flag,
                            in_quotes(option->get_description()));
      }
    }
  });
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  if (shell == "zsh") return zsh_script(program);
  if (shell == "fish") return fish_script(program);
  throw usage_error(
      fmt::format("completion: {} is not a shell that is known; choose bash, zsh or fish", shell));
}

}  // namespace interpole::cli
