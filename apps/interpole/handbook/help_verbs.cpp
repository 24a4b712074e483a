#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "handbook/completion.hpp"
#include "handbook/manual.hpp"
#include "handbook/suggestions.hpp"
#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"
#include "streams.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

namespace fs = std::filesystem;

void add_help_verb(CLI::App& program, int& exit_code) {
  struct Flags {
    std::vector<std::string> words;
    Common common;
  };
  auto flags = std::make_shared<Flags>();
  auto* verb = program.add_subcommand("help", "What a verb does and which flags it takes");
  verb->add_option("verb", flags->words, "verb, as fit or study check; none: the list of verbs");
  add_json(*verb, flags->common);
  verb->footer(examples("  interpole help fit\n  interpole help study check"));
  verb->callback([flags, &program, &exit_code] {
    const CLI::App* asked = verb_named(program, flags->words);
    if (asked == nullptr) {
      throw usage_error(fmt::format("help: there is no verb {}{}",
                                    base::shown(fmt::format("{}", fmt::join(flags->words, " "))),
                                    suggestion_for(program, flags->words)));
    }
    std::string before;  // the words in front of the verb's own
    if (!flags->words.empty()) before = program.get_name();
    for (std::size_t i = 0; i + 1 < flags->words.size(); ++i) before += " " + flags->words[i];
    const std::string help = asked->help(before, CLI::AppFormatMode::Normal);
    if (flags->common.json) {
      show("{}\n", nlohmann::ordered_json{{"verb", fmt::format("{}", fmt::join(flags->words, " "))},
                                          {"description", asked->get_description()},
                                          {"verbs", verbs_of(*asked)},
                                          {"flags", flags_of(*asked)},
                                          {"help", help}}
                       .dump(2));
    } else {
      show("{}", help);
    }
    exit_code = kOk;
  });
}

void add_completion_verb(CLI::App& program, int& exit_code) {
  struct Flags {
    std::string shell;
    Common common;
  };
  auto flags = std::make_shared<Flags>();
  auto* verb = program.add_subcommand("completion", "Completion of verbs and flags, for a shell");
  verb->add_option("shell", flags->shell, "bash, zsh or fish")->required();
  add_json(*verb, flags->common);
  verb->footer(
      examples("  source <(interpole completion bash)\n"
               "\nAn installed program has its completion where shells look for it."));
  verb->callback([flags, &program, &exit_code] {
    const std::string script = completion_script(program, flags->shell);
    if (flags->common.json) {
      show("{}\n", nlohmann::ordered_json{{"shell", flags->shell}, {"script", script}}.dump(2));
    } else {
      show("{}", script);
    }
    exit_code = kOk;
  });
}

std::vector<std::string> write_manual(const CLI::App& program, const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& [name, text] : manual_pages(program)) files.emplace_back("man/man1/" + name, text);
  files.emplace_back("bash-completion/completions/interpole", completion_script(program, "bash"));
  files.emplace_back("zsh/site-functions/_interpole", completion_script(program, "zsh"));
  files.emplace_back("fish/vendor_completions.d/interpole.fish", completion_script(program, "fish"));
  std::vector<std::string> names;
  for (const auto& [name, text] : files) {
    const fs::path path = fs::path(folder) / name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    base::write_file_atomically(path.string(), text);
    names.push_back(path.string());
  }
  return names;
}

void add_manual_verb(CLI::App& program, int& exit_code) {
  struct Flags {
    std::string output;
    Common common;
  };
  auto flags = std::make_shared<Flags>();
  auto* verb = program.add_subcommand("manual", "Manual pages and completion, as files to be installed");
  verb->add_option("--output", flags->output, "folder, such as /usr/local/share")->required();
  add_json(*verb, flags->common);
  verb->footer(examples("  interpole manual --output /usr/local/share"));
  verb->callback([flags, &program, &exit_code] {
    const std::vector<std::string> names = write_manual(program, flags->output);
    if (flags->common.json) {
      show("{}\n", nlohmann::ordered_json{{"files", names}}.dump(2));
    } else {
      for (const std::string& name : names) show("{}\n", name);
    }
    exit_code = kOk;
  });
}

}  // namespace

void add_handbook(CLI::App& program, int& exit_code) {
  add_help_verb(program, exit_code);
  add_completion_verb(program, exit_code);
  add_manual_verb(program, exit_code);
}

}  // namespace interpole::cli
