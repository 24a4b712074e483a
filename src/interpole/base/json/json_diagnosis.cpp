#include "interpole/base/json/json_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "interpole/base/json/strict_json.hpp"

namespace interpole::base {
namespace {

constexpr int kNumberOverflow = 406;  // nlohmann's id of the error

// Where the last of `read` bytes stands, and what follows from there on its line, so that it can be searched
// for.
std::string last_read(std::string_view text, std::size_t read) {
  const std::string_view before = text.substr(0, read > 0 ? read - 1 : 0);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  const std::string_view rest = text.substr(before.size(), 20);
  const std::string_view shown = rest.substr(0, rest.find('\n'));
  return fmt::format("line {}, column {}, {}", line, column,
                     shown.empty() ? "the end of the line" : "near " + in_quotes(shown));
}

// Follows a parse without keeping values: it knows only the path it is on.
class Locator : public nlohmann::json_sax<nlohmann::json> {
 public:
  Locator(const std::string& text, const std::string& where) : text_(text), where_(where) {}
  const std::string& message() const { return message_; }

  bool null() override { return pass_value(); }
  bool boolean(bool) override { return pass_value(); }
  bool number_integer(number_integer_t) override { return pass_value(); }
  bool number_unsigned(number_unsigned_t) override { return pass_value(); }
  bool number_float(number_float_t, const string_t& digits) override {
    // An integer of more than 64 bits arrives here, as if written with an exponent.
    if (digits.find_first_of(".eE") != string_t::npos) return pass_value();
    message_ = fmt::format("{}: {} is too large for a whole number; write it with an exponent", place(),
                           digits.substr(0, 60));
    return false;
  }
  bool string(string_t&) override { return pass_value(); }
  bool binary(binary_t&) override { return pass_value(); }
  bool start_object(std::size_t) override { return enter({.is_object = true}); }
  bool key(string_t& key) override {
    path_.back().key = key;
    return true;
  }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter({.is_object = false}); }
  bool end_array() override { return leave(); }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& error) override {
    if (position > text_.size()) {
      message_ = fmt::format(
          "{}: the file ends in the middle; it was cut short: copy it again or write it anew", place());
    } else if (error.id == kNumberOverflow) {
      message_ =
          fmt::format("{}: {} is too large for a number; write a finite one", place(), token.substr(0, 60));
    } else {
      message_ =
          fmt::format("{}: not valid JSON at {}; correct it there", place(), last_read(text_, position));
    }
    return false;
  }

 private:
  struct Step {
    bool is_object;
    std::string key = {};
    std::size_t index = 0;
  };

  bool enter(Step step) {
    path_.push_back(std::move(step));
    if (path_.size() > kMostJsonDepth) message_ = too_deep_message(where_);
    return message_.empty();
  }
  bool leave() {
    path_.pop_back();
    return pass_value();
  }
  bool pass_value() {
    if (!path_.empty()) ++path_.back().index;
    return true;
  }
  std::string place() const { return place_below(JsonPlace(where_), 0); }
  std::string place_below(const JsonPlace& above, std::size_t depth) const {
    if (depth == path_.size()) return above.text();
    const Step& step = path_[depth];
    if (!step.is_object) return place_below(above.at(step.index), depth + 1);
    return step.key.empty() ? above.text() : place_below(above.at(step.key), depth + 1);
  }

  const std::string& text_;
  const std::string& where_;
  std::vector<Step> path_;
  std::string message_;
};

// The number of the first line that is not UTF-8, or 0. A line feed never lies within a character.
std::size_t bad_utf8_line(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t start = 0; start <= text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (!simdjson::validate_utf8(text.data() + start, end - start)) return line;
    start = end + 1;
  }
  return 0;
}

}  // namespace

std::string too_deep_message(const std::string& where) {
  return fmt::format("{}: nested more than {} levels deep; this is not a file we write", where,
                     kMostJsonDepth);
}

std::string diagnose_json(const std::string& text, const std::string& where, const std::string& otherwise) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return fmt::format("{}: the file is empty", where);
  }
  if (const std::size_t line = bad_utf8_line(text); line > 0) {
    return fmt::format("{}: line {} is not valid UTF-8; save the file as UTF-8 text", where, line);
  }
  Locator locator(text, where);
  nlohmann::json::sax_parse(text, &locator);
  if (!locator.message().empty()) return locator.message();
  return fmt::format("{}: not valid JSON: {}", where, otherwise);
}

}  // namespace interpole::base
