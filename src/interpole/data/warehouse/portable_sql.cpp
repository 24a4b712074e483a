#include "interpole/data/warehouse/portable_sql.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::array<std::string_view, 16> kKeywords = {"AND", "OR",   "NOT",   "IN",   "LIKE", "BETWEEN",
                                                        "IS",  "NULL", "CASE",  "WHEN", "THEN", "ELSE",
                                                        "END", "TRUE", "FALSE", "AS"};
// Those that make a truth value of what stands beside them.
constexpr std::array<std::string_view, 13> kOfConditions = {"AND", "OR", "NOT", "IN", "LIKE", "BETWEEN", "IS",
                                                            "=",   "<>", "!=",  "<",  ">",    "<="};
constexpr std::array<std::string_view, 3> kFunctions = {"COALESCE", "NULLIF", "CAST"};
constexpr std::array<std::string_view, 5> kLongOperators = {"::", "<>", "!=", "<=", ">="};
constexpr std::string_view kOperators = "=<>+-*(),";

bool among(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_digit_of_number(char c) {
  return c >= '0' && c <= '9';
}

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string in_capitals(std::string_view word) {
  std::string result(word);
  for (char& c : result) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return result;
}

struct Token {
  enum class Kind { kWord, kName, kText, kNumber, kOperator } kind;
  std::string text;  // of names and texts, what is in the quotes
};

class Translator {
 public:
  Translator(const std::string& expression, const SqlDialect& dialect, const std::string& where)
      : rest_(expression), dialect_(dialect), where_(where) {
    while (read_token()) {
    }
  }

  PortableSql translated() {
    for (place_ = 0; place_ < tokens_.size(); ++place_) take(tokens_[place_]);
    if (!open_.empty()) refuse("a parenthesis that is not closed");
    std::string sql;
    for (const std::string& piece : pieces_) sql += (sql.empty() ? "" : " ") + piece;
    return {sql, is_condition_};
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw input_error(
        fmt::format("{}: {} does not mean the same in every warehouse, or not to {}; write the expression "
                    "without it, or make a view with a column for it there and name that column in the study",
                    where_, what, dialect_.name()));
  }

  // Up to the closing quote; two of them stand for one.
  std::string quoted(char quote) {
    std::string inside;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] != quote) {
        inside += rest_[i];
      } else if (i + 1 < rest_.size() && rest_[i + 1] == quote) {
        inside += rest_[i++];
      } else {
        rest_.remove_prefix(i + 1);
        return inside;
      }
    }
    refuse("a quote that is not closed");
  }

  std::string run_of(const auto& belongs) {
    std::size_t length = 0;
    while (length < rest_.size() && belongs(rest_[length])) ++length;
    std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }

  bool read_token() {
    run_of([](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
    if (rest_.empty()) return false;
    const char c = rest_[0];
    if (c == '\'') {
      tokens_.push_back({Token::Kind::kText, quoted('\'')});
      if (tokens_.back().text.find('\\') != std::string::npos) refuse("a text with a backslash");
    } else if (c == '"') {
      tokens_.push_back({Token::Kind::kName, quoted('"')});
    } else if (is_digit_of_number(c)) {
      tokens_.push_back(
          {Token::Kind::kNumber, run_of([](char x) { return is_digit_of_number(x) || x == '.'; })});
    } else if (is_word_letter(c)) {
      tokens_.push_back(
          {Token::Kind::kWord, run_of([](char x) { return is_word_letter(x) || is_digit_of_number(x); })});
    } else if (among(kLongOperators, rest_.substr(0, 2))) {
      tokens_.push_back({Token::Kind::kOperator, std::string(rest_.substr(0, 2))});
      rest_.remove_prefix(2);
    } else if (kOperators.find(c) != std::string_view::npos && !rest_.starts_with("--")) {
      tokens_.push_back({Token::Kind::kOperator, std::string(1, c)});
      rest_.remove_prefix(1);
    } else {
      refuse(base::shown(rest_.starts_with("--") ? "--" : rest_.substr(0, 1)));
    }
    return true;
  }

  void value(std::string sql) {
    value_begin_ = pieces_.size();
    pieces_.push_back(std::move(sql));
  }

  void take(const Token& token) {
    switch (token.kind) {
      case Token::Kind::kText:
        return value(dialect_.text(token.text));
      case Token::Kind::kName:
        return value(dialect_.column(token.text));
      case Token::Kind::kNumber:
        return value(token.text);
      case Token::Kind::kWord:
        return take_word(token.text);
      case Token::Kind::kOperator:
        return take_operator(token.text);
    }
  }

  bool next_is(std::string_view text) const {
    return place_ + 1 < tokens_.size() && tokens_[place_ + 1].kind == Token::Kind::kOperator &&
           tokens_[place_ + 1].text == text;
  }

  void take_word(const std::string& text) {
    const std::string word = in_capitals(text);
    if (word == "CASE") ++cases_;
    if (word == "END") --cases_;
    if (!open_.empty() && word == "AS") return take_type();
    if (among(kKeywords, word)) {
      note_condition(word);
      if (word == "TRUE" || word == "FALSE" || word == "NULL" || word == "END") return value(word);
      return pieces_.push_back(word);
    }
    if (!next_is("(")) return value(dialect_.column(text));
    if (!among(kFunctions, word)) refuse("the function " + text);
    value(word);
  }

  // The type after AS, in CAST(… AS type).
  void take_type() {
    if (++place_ >= tokens_.size()) refuse("AS");
    const std::string type = dialect_.type(tokens_[place_].text);
    if (type.empty()) refuse("a cast to " + tokens_[place_].text);
    pieces_.push_back("AS " + type);
  }

  void take_operator(const std::string& text) {
    note_condition(text);
    if (text == "(") {
      const bool of_function = place_ > 0 && tokens_[place_ - 1].kind == Token::Kind::kWord &&
                               among(kFunctions, in_capitals(tokens_[place_ - 1].text));
      open_.push_back(of_function ? value_begin_ : pieces_.size());
      pieces_.push_back(text);
    } else if (text == ")") {
      if (open_.empty()) refuse("a parenthesis that was not opened");
      value_begin_ = open_.back();
      open_.pop_back();
      pieces_.push_back(text);
    } else if (text == "::") {
      cast_last_value();
    } else {
      pieces_.push_back(text == "!=" ? "<>" : text);
    }
  }

  // x::TYPE becomes CAST(x AS TYPE).
  void cast_last_value() {
    if (++place_ >= tokens_.size() || pieces_.empty()) refuse("::");
    const std::string type = dialect_.type(tokens_[place_].text);
    if (type.empty()) refuse("a cast to " + tokens_[place_].text);
    std::string inside;
    for (std::size_t i = value_begin_; i < pieces_.size(); ++i)
      inside += (inside.empty() ? "" : " ") + pieces_[i];
    pieces_.resize(value_begin_);
    value(fmt::format("CAST({} AS {})", inside, type));
  }

  void note_condition(std::string_view word) {
    if (!open_.empty() || cases_ > 0) return;
    is_condition_ |= among(kOfConditions, word) || word == ">=" || word == "TRUE" || word == "FALSE";
  }

  std::string_view rest_;
  const SqlDialect& dialect_;
  const std::string& where_;
  std::vector<Token> tokens_;
  std::size_t place_ = 0;
  std::vector<std::string> pieces_;
  std::size_t value_begin_ = 0;    // where the last value begins among the pieces
  std::vector<std::size_t> open_;  // where what will be in parentheses begins
  int cases_ = 0;
  bool is_condition_ = false;
};

}  // namespace

PortableSql portable_sql(const std::string& expression, const SqlDialect& dialect, const std::string& where) {
  return Translator(expression, dialect, where).translated();
}

}  // namespace interpole::data
