#include "interpole/planning/files/pomdp_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpole/base/messages.hpp"

namespace interpole::planning {
namespace {

constexpr std::size_t kMostNames = 100'000;

}  // namespace

bool is_reserved_word(std::string_view word) {
  static constexpr std::array<std::string_view, 16> kReserved = {
      "discount", "values",   "states", "actions", "observations", "T",       "O",       "R",
      "uniform",  "identity", "reward", "cost",    "start",        "include", "exclude", "reset"};
  return std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

void DeclaredNames::declare(PomdpText& text, int line) {
  if (text.at(TokenKind::kNumber)) {
    count(text);
  } else {
    list(text);
  }
  if (names_.empty()) {
    text.refuse(line, fmt::format("no {} are given; write how many there are, or their names (words of the "
                                  "format, such as T or start, are no names)",
                                  plural_));
  }
}

void DeclaredNames::count(PomdpText& text) {
  const Token token = text.peek();
  const double count = text.number("a count");
  if (!PomdpText::is_index(token.text) || count < 1.0) {
    text.refuse(token.line, fmt::format("{}: {} is not a count; write a whole number above 0, or names",
                                        plural_, shown(token)));
  }
  if (count > static_cast<double>(kMostNames)) refuse_so_many(text, token.line);
  for (int i = 0; i < static_cast<int>(count); ++i) names_.push_back(std::to_string(i));
}

void DeclaredNames::list(PomdpText& text) {
  while (text.at(TokenKind::kWord) && !is_reserved_word(text.peek().text)) {
    const Token name = text.next();
    if (!index_.emplace(name.text, names_.size()).second) {
      text.refuse(name.line, fmt::format("{} is listed twice among the {}", shown(name), plural_));
    }
    names_.emplace_back(name.text);
    if (names_.size() > kMostNames) refuse_so_many(text, name.line);
  }
}

void DeclaredNames::refuse_so_many(const PomdpText& text, int line) const {
  text.refuse(line, fmt::format("more than {} {}; too many to plan with", kMostNames, plural_));
}

IndexRange DeclaredNames::refer(PomdpText& text) const {
  if (text.at(TokenKind::kStar)) {
    text.next();
    return {0, names_.size()};
  }
  const std::size_t one = refer_to_one(text);
  return {one, one + 1};
}

std::size_t DeclaredNames::refer_to_one(PomdpText& text) const {
  const Token token = text.next();
  if (token.kind == TokenKind::kWord) {
    const auto found = index_.find(token.text);
    if (found != index_.end()) return found->second;
    text.refuse(token.line, fmt::format("there is no {} {}{}", kind_, shown(token),
                                        base::suggestion(token.text, names_, "known are")));
  }
  if (token.kind != TokenKind::kNumber || !PomdpText::is_index(token.text)) {
    text.refuse(token.line,
                fmt::format("{} where the {} belongs; write its name or number", shown(token), kind_));
  }
  // Nine digits fit any integer; more are out of range for certain.
  const std::size_t index = token.text.size() > 9 ? names_.size() : std::stoul(std::string(token.text));
  if (index >= names_.size()) {
    text.refuse(token.line, fmt::format("{} {} is out of range; there are {}, numbered from 0", kind_,
                                        token.text.substr(0, 20), names_.size()));
  }
  return index;
}

}  // namespace interpole::planning
