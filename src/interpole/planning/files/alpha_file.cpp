#include "interpole/planning/files/alpha_file.hpp"

#include <fmt/format.h>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/error.hpp"
#include "interpole/planning/files/pomdp_text.hpp"

namespace interpole::planning {
namespace {

int read_action(PomdpText& text, int actions) {
  const Token token = text.next();
  const bool whole = token.kind == TokenKind::kNumber && PomdpText::is_index(token.text);
  if (!whole || token.text.size() > 9 || std::stoi(std::string(token.text)) >= actions) {
    text.refuse(token.line,
                fmt::format("{} where the number of an action belongs; there are {}, numbered from 0",
                            shown(token), actions));
  }
  return std::stoi(std::string(token.text));
}

}  // namespace

AlphaVectors parse_alpha(const std::string& content, const std::string& where, int states, int actions) {
  PomdpText text(content, where);
  AlphaVectors vectors{states, {}, {}};
  std::vector<double> vector(static_cast<std::size_t>(states));
  if (text.at(TokenKind::kEnd)) text.refuse(1, "no vectors; the file is empty");
  while (!text.at(TokenKind::kEnd)) {
    const int action = read_action(text, actions);
    const int line = text.peek().line;
    for (double& value : vector) {
      // A vector has a line of its own: a missing number must not be taken from the next vector.
      if (!text.at(TokenKind::kNumber) || text.peek().line != line) {
        text.refuse(line, fmt::format("too few numbers; a vector has {}, one for each state", states));
      }
      value = text.number("a value");
    }
    if (text.at(TokenKind::kNumber) && text.peek().line == line) {
      text.refuse(line, fmt::format("too many numbers; a vector has {}, one for each state", states));
    }
    vectors.add(action, vector);
  }
  return vectors;
}

AlphaVectors read_alpha(const std::string& path, int states, int actions) {
  return parse_alpha(read_planning_file(path), path, states, actions);
}

std::string format_alpha(const AlphaVectors& vectors) {
  std::string text;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (vectors.actions[i] == kNoAction) {
      throw usage_error("a value without decisions names no action; plan for a horizon of at least 1");
    }
    text += fmt::format("{}\n{}\n\n", vectors.actions[i], fmt::join(vectors.row(i), " "));
  }
  return text;
}

void write_alpha(const AlphaVectors& vectors, const std::string& path) {
  base::write_file_atomically(path, format_alpha(vectors));
}

}  // namespace interpole::planning
