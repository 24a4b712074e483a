// JSON from outside, read without trust: bounded nesting, no repeated keys, and errors that name the place
// ("FILE: world.transition[0][1]: …"). Internal: needs simdjson's header.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace interpole::base {

inline constexpr std::size_t kMostJsonDepth = 32;

// A place in a document. Made on the way down and spelled out only when something is wrong, so a large table
// costs no strings. A place points at its parent, which must outlive it.
class JsonPlace {
 public:
  explicit JsonPlace(const std::string& file) : file_(&file) {}
  JsonPlace at(std::string_view key) const { return {*this, key, 0}; }
  JsonPlace at(std::size_t index) const { return {*this, {}, index}; }

  std::string path() const;  // "world.transition[0][1]"; empty at the top
  std::string text() const;  // "FILE: world.transition[0][1]"

 private:
  JsonPlace(const JsonPlace& parent, std::string_view key, std::size_t index)
      : file_(parent.file_), parent_(&parent), key_(key), index_(index) {}

  const std::string* file_;
  const JsonPlace* parent_ = nullptr;
  std::string_view key_;  // without data: the place is an index
  std::size_t index_ = 0;
};

// Throws an input error if the text is not UTF-8, not JSON, nested too deeply, or repeats a key in any
// object. The result lives in `parser`.
simdjson::dom::element parse_json(simdjson::dom::parser& parser, const std::string& text,
                                  const std::string& where);

// A value as a message shows it: `the text "abc"`, `the number 3`, `null`, `an array`.
std::string describe(simdjson::dom::element value);

// Text in quotes, escaped, cut when long: safe to print whatever the file holds.
std::string in_quotes(std::string_view text);

// Each throws an input error naming the place if the value is not what is asked for.
simdjson::dom::object json_object(simdjson::dom::element value, const JsonPlace& place);
simdjson::dom::element json_member(simdjson::dom::object object, std::string_view key,
                                   const JsonPlace& place);
simdjson::dom::array json_array(simdjson::dom::element value, const JsonPlace& place);
std::string json_text(simdjson::dom::element value, const JsonPlace& place);
double json_number(simdjson::dom::element value, const JsonPlace& place);

}  // namespace interpole::base
