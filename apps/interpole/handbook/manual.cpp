#include "handbook/manual.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/version.hpp"

namespace interpole::cli {
namespace {

using Pages = std::vector<std::pair<std::string, std::string>>;

// Text as troff takes it: backslashes and dashes escaped, no line beginning with a request.
std::string troff(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

std::string title(const std::string& page) {
  std::string name = page;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return fmt::format(".TH {} 1 \"\" \"interpole {}\" \"User Commands\"\n", name, version());
}

std::string options_section(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    std::string names;
    for (const std::string& name : option->get_snames())
      names += fmt::format("{}\\fB\\-{}\\fR", names.empty() ? "" : ", ", troff(name));
    for (const std::string& name : option->get_lnames())
      names += fmt::format("{}\\fB\\-\\-{}\\fR", names.empty() ? "" : ", ", troff(name));
    if (names.empty()) names = fmt::format("\\fI{}\\fR", troff(option->get_name(true)));
    const std::string type = option->get_type_size() == 0 ? "" : troff(option->get_type_name());
    text += fmt::format(".TP\n{}{}\n{}", names, type.empty() ? "" : fmt::format(" \\fI{}\\fR", type),
                        troff(option->get_description()));
    if (!option->get_default_str().empty()) text += fmt::format(" [{}]", troff(option->get_default_str()));
    if (option->get_required()) text += " (required)";
    text += "\n";
  }
  return text.empty() ? "" : ".SH OPTIONS\n" + text;
}

std::string footer_section(const CLI::App& app) {
  if (app.get_footer().empty()) return "";
  return ".SH EXAMPLES AND NOTES\n.nf\n" + troff(app.get_footer()) + "\n.fi\n";
}

void add_page(const CLI::App& app, const std::string& command, const std::string& page, Pages& pages) {
  std::string text = title(page);
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n\\fB{}\\fR", troff(page),
                      troff(app.get_description()), troff(command));
  const auto verbs = app.get_subcommands({});
  text += verbs.empty() ? " [options]\n" : " \\fIverb\\fR [options]\n";
  if (!verbs.empty()) {
    text += ".SH VERBS\n";
    for (const CLI::App* verb : verbs) {
      text += fmt::format(".TP\n\\fB{}\\fR\n{}. See \\fB{}\\-{}\\fR(1).\n", troff(verb->get_name()),
                          troff(verb->get_description()), troff(page), troff(verb->get_name()));
    }
  }
  text += options_section(app) + footer_section(app);
  pages.emplace_back(page + ".1", text);
  for (const CLI::App* verb : verbs) {
    add_page(*verb, command + " " + verb->get_name(), page + "-" + verb->get_name(), pages);
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> manual_pages(const CLI::App& program) {
  Pages pages;
  add_page(program, "interpole", "interpole", pages);
  return pages;
}

}  // namespace interpole::cli
