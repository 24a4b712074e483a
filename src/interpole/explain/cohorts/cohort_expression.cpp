#include "interpole/explain/cohorts/cohort_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "interpole/base/messages.hpp"
#include "interpole/base/number_text.hpp"
#include "interpole/error.hpp"

namespace interpole::explain {
namespace {

constexpr int kDeepest = 100;  // parentheses and nots within each other

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == '+' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

class CohortParser {
 public:
  CohortParser(const std::string& text, std::span<const std::string> known) : known_(known) {
    result_.text_ = text;
  }

  CohortExpression run() {
    advance();
    result_.root_ = any_of(0);
    if (kind_ != Token::kEnd) fail("\"and\", \"or\" or the end is expected here");
    return std::move(result_);
  }

 private:
  using Node = CohortExpression::Node;
  using Kind = CohortExpression::Kind;
  using Relation = CohortExpression::Relation;
  enum class Token { kEnd, kWord, kQuoted, kSign };

  [[noreturn]] void fail(const std::string& complaint) const {
    std::size_t characters = 1;
    for (std::size_t i = 0; i < began_; ++i) {
      if ((static_cast<unsigned char>(result_.text_[i]) & 0xC0U) != 0x80U) ++characters;
    }
    throw usage_error(
        fmt::format("option cohort {}: character {}: {}", base::shown(result_.text_), characters, complaint));
  }

  void advance() {
    const std::string& text = result_.text_;
    while (next_ < text.size() && std::isspace(static_cast<unsigned char>(text[next_])) != 0) ++next_;
    began_ = next_;
    token_.clear();
    if (next_ == text.size()) {
      kind_ = Token::kEnd;
    } else if (text[next_] == '"' || text[next_] == '\'') {
      kind_ = Token::kQuoted;
      quoted(text[next_++]);
    } else if (is_word(text[next_])) {
      kind_ = Token::kWord;
      while (next_ < text.size() && is_word(text[next_])) token_ += text[next_++];
    } else {
      kind_ = Token::kSign;
      token_ = text[next_++];
      if (next_ < text.size() && text[next_] == '=' && (token_ == "<" || token_ == ">" || token_ == "!")) {
        token_ += text[next_++];
      }
    }
  }

  // Twice, the quote is a character of the text.
  void quoted(char quote) {
    while (true) {
      const std::size_t close = result_.text_.find(quote, next_);
      if (close == std::string::npos) fail("the quote that begins here does not end");
      token_ += result_.text_.substr(next_, close - next_);
      next_ = close + 1;
      if (next_ == result_.text_.size() || result_.text_[next_] != quote) return;
      token_ += quote;
      ++next_;
    }
  }

  bool is_keyword(const char* word) const { return kind_ == Token::kWord && lower(token_) == word; }
  bool is_sign(const char* sign) const { return kind_ == Token::kSign && token_ == sign; }

  int add(Node node) {
    result_.nodes_.push_back(std::move(node));
    return static_cast<int>(result_.nodes_.size()) - 1;
  }

  int join(Kind kind, int left, int right) {
    Node node;
    node.kind = kind;
    node.left = left;
    node.right = right;
    return add(node);
  }

  int any_of(int depth) {
    int left = all_of(depth);
    while (is_keyword("or")) {
      advance();
      const int right = all_of(depth);
      left = join(Kind::kOr, left, right);
    }
    return left;
  }

  int all_of(int depth) {
    int left = one(depth);
    while (is_keyword("and")) {
      advance();
      const int right = one(depth);
      left = join(Kind::kAnd, left, right);
    }
    return left;
  }

  int one(int depth) {
    if (depth > kDeepest) fail("too many parentheses within each other");
    if (is_keyword("not")) {
      advance();
      const int inner = one(depth + 1);
      return join(Kind::kNot, inner, -1);
    }
    if (is_sign("(")) {
      advance();
      const int inner = any_of(depth + 1);
      if (!is_sign(")")) fail("\")\" is expected here");
      advance();
      return inner;
    }
    return comparison();
  }

  int comparison() {
    if (kind_ != Token::kWord && kind_ != Token::kQuoted) fail("the name of a covariate is expected here");
    Node node;
    node.name = name_index(token_);
    advance();
    const auto relation = relation_here();
    if (!relation) return add(node);
    node.kind = Kind::kCompare;
    node.relation = *relation;
    advance();
    if (kind_ != Token::kWord && kind_ != Token::kQuoted) fail("a value is expected here, as 75 or F");
    const auto number = kind_ == Token::kWord ? base::number_in(token_) : std::nullopt;
    node.value = token_;
    node.numeric = number.has_value();
    node.number = number.value_or(0.0);
    if (!node.numeric && *relation != Relation::kEqual && *relation != Relation::kUnequal) {
      fail(fmt::format("{} is not a number; texts can be compared by = and != only", base::shown(token_)));
    }
    advance();
    return add(node);
  }

  std::optional<Relation> relation_here() const {
    if (kind_ != Token::kSign) return std::nullopt;
    if (token_ == "=") return Relation::kEqual;
    if (token_ == "!=") return Relation::kUnequal;
    if (token_ == "<") return Relation::kLess;
    if (token_ == "<=") return Relation::kLessEqual;
    if (token_ == ">") return Relation::kMore;
    if (token_ == ">=") return Relation::kMoreEqual;
    if (token_ == ")") return std::nullopt;
    fail("=, !=, <, <=, > or >= is expected here");
  }

  int name_index(const std::string& name) {
    if (!known_.empty() && std::find(known_.begin(), known_.end(), name) == known_.end()) {
      fail(fmt::format("{} is not a covariate of these data{}", base::shown(name),
                       base::suggestion(name, known_, "the covariates are")));
    }
    auto& names = result_.names_;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    names.push_back(name);
    return static_cast<int>(names.size()) - 1;
  }

  std::span<const std::string> known_;
  CohortExpression result_;
  std::size_t next_ = 0;
  std::size_t began_ = 0;
  Token kind_ = Token::kEnd;
  std::string token_;
};

CohortExpression CohortExpression::parse(const std::string& text, std::span<const std::string> known) {
  return CohortParser(text, known).run();
}

Membership CohortExpression::holds(std::span<const std::string> values) const {
  return holds(root_, values);
}

Membership CohortExpression::holds(int index, std::span<const std::string> values) const {
  const Node& node = nodes_[index];
  const auto known = [](bool in) { return in ? Membership::kIn : Membership::kOut; };
  switch (node.kind) {
    case Kind::kCompare:
      return values[node.name].empty() ? Membership::kUnknown : compare(node, values[node.name]);
    case Kind::kTrue: {
      const std::string value = lower(values[node.name]);
      if (value.empty()) return Membership::kUnknown;
      return known(value == "true" || value == "yes" || value == "1" || value == "t" || value == "y");
    }
    case Kind::kNot: {
      const Membership inner = holds(node.left, values);
      return inner == Membership::kUnknown ? inner : known(inner == Membership::kOut);
    }
    default: {
      const Membership left = holds(node.left, values);
      const Membership right = holds(node.right, values);
      const Membership settles = node.kind == Kind::kAnd ? Membership::kOut : Membership::kIn;
      if (left == settles || right == settles) return settles;
      return left == Membership::kUnknown ? left : right;
    }
  }
}

Membership CohortExpression::compare(const Node& node, const std::string& value) const {
  const auto number = base::number_in(value);
  const bool ordered = node.relation != Relation::kEqual && node.relation != Relation::kUnequal;
  if (ordered && !number) {
    throw input_error(
        fmt::format("option cohort {}: a patient's {} is {}, which is not a number; compare texts by = "
                    "and != only",
                    base::shown(text_), base::shown(names_[node.name]), base::shown(value)));
  }
  bool in = false;
  const bool as_numbers = number && node.numeric;
  const bool equal = as_numbers ? *number == node.number : value == node.value;
  switch (node.relation) {
    case Relation::kEqual:
      in = equal;
      break;
    case Relation::kUnequal:
      in = !equal;
      break;
    case Relation::kLess:
      in = *number < node.number;
      break;
    case Relation::kLessEqual:
      in = *number <= node.number;
      break;
    case Relation::kMore:
      in = *number > node.number;
      break;
    case Relation::kMoreEqual:
      in = *number >= node.number;
      break;
  }
  return in ? Membership::kIn : Membership::kOut;
}

}  // namespace interpole::explain
