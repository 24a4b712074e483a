#include "interpole/base/json/strict_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <vector>

#include "interpole/base/json/json_diagnosis.hpp"
#include "interpole/base/text/printable.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr std::size_t kMostShown = 60;

// simdjson keeps repeated keys in order; JSON leaves their meaning open, so we refuse them, ignored parts
// included.
void refuse_repeated_keys(element value, const JsonPlace& place) {
  if (value.is_array()) {
    std::size_t index = 0;
    for (const element item : simdjson::dom::array(value)) refuse_repeated_keys(item, place.at(index++));
  }
  if (!value.is_object()) return;
  std::vector<std::string_view> keys;
  for (const auto member : simdjson::dom::object(value)) {
    keys.push_back(member.key);
    refuse_repeated_keys(member.value, place.at(member.key));
  }
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  if (twice != keys.end()) {
    throw input_error(
        fmt::format("{}: the key {} appears twice; remove one", place.text(), in_quotes(*twice)));
  }
}

[[noreturn]] void refuse_type(const char* expected, element found, const JsonPlace& place) {
  throw input_error(fmt::format("{}: expected {}, found {}", place.text(), expected, describe(found)));
}

}  // namespace

std::string JsonPlace::path() const {
  if (parent_ == nullptr) return {};
  const std::string before = parent_->path();
  if (key_.data() == nullptr) return fmt::format("{}[{}]", before, index_);
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  };
  if (key_.empty() || key_.size() > kMostShown || !std::all_of(key_.begin(), key_.end(), plain)) {
    return fmt::format("{}[{}]", before, in_quotes(key_));
  }
  return before.empty() ? std::string(key_) : fmt::format("{}.{}", before, key_);
}

std::string JsonPlace::text() const {
  return parent_ == nullptr ? *file_ : fmt::format("{}: {}", *file_, path());
}

element parse_json(simdjson::dom::parser& parser, const std::string& text, const std::string& where) {
  auto failure = parser.allocate(std::max<std::size_t>(text.size(), 64), kMostJsonDepth);
  element root;
  if (!failure) failure = parser.parse(text).get(root);
  if (failure == simdjson::MEMALLOC)
    throw runtime_error(fmt::format("{}: not enough memory to read it", where));
  if (failure == simdjson::DEPTH_ERROR) throw input_error(too_deep_message(where));
  if (failure) throw input_error(diagnose_json(text, where, simdjson::error_message(failure)));
  refuse_repeated_keys(root, JsonPlace(where));
  return root;
}

std::string in_quotes(std::string_view text) {
  using nlohmann::json;
  const bool cut = text.size() > kMostShown;
  const auto replace = json::error_handler_t::replace;
  std::string result = printable(json(std::string(text.substr(0, kMostShown))).dump(-1, ' ', false, replace));
  if (cut) result.insert(result.size() - 1, "…");
  return result;
}

std::string describe(element value) {
  switch (value.type()) {
    case element_type::ARRAY:
      return "an array";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return fmt::format("the text {}", in_quotes(std::string_view(value)));
    case element_type::BOOL:
    case element_type::NULL_VALUE:
      return simdjson::minify(value);
    default:
      return fmt::format("the number {}", simdjson::minify(value));
  }
}

simdjson::dom::object json_object(element value, const JsonPlace& place) {
  if (!value.is_object()) refuse_type("an object", value, place);
  return value;
}

element json_member(simdjson::dom::object object, std::string_view key, const JsonPlace& place) {
  element value;
  if (object.at_key(key).get(value)) {
    throw input_error(fmt::format("{}: the key is missing; add it", place.at(key).text()));
  }
  return value;
}

simdjson::dom::array json_array(element value, const JsonPlace& place) {
  if (!value.is_array()) refuse_type("an array", value, place);
  return value;
}

std::string json_text(element value, const JsonPlace& place) {
  if (!value.is_string()) refuse_type("a text", value, place);
  return std::string(std::string_view(value));
}

double json_number(element value, const JsonPlace& place) {
  if (!value.is_number()) refuse_type("a finite number", value, place);
  return value;
}

}  // namespace interpole::base
