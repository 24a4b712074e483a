#include "interpole/data/study/study_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

// `a.b`, or `a."x y"` where the key is not a bare one.
std::string join(const std::string& path, std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  const std::string spelled = bare && key.size() <= 40 ? std::string(key) : base::shown(key);
  return path.empty() ? spelled : path + "." + spelled;
}

std::string found_type(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "the text " + base::shown(**node.as_string());
    case toml::node_type::integer:
      return fmt::format("the number {}", **node.as_integer());
    case toml::node_type::floating_point:
      return fmt::format("the number {}", **node.as_floating_point());
    case toml::node_type::boolean:
      return **node.as_boolean() ? "true" : "false";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

std::string at_line(const std::string& file, const toml::node& node) {
  const auto line = node.source().begin.line;
  return line == 0 ? file : fmt::format("{}:{}", file, line);
}

}  // namespace

void TomlValue::refuse(const std::string& message) const {
  throw input_error(
      fmt::format("{}: {}{}{}", at_line(*file_, *node_), path_, path_.empty() ? "" : ": ", message));
}

void TomlValue::refuse_inside(std::string_view key, const std::string& message) const {
  // The top of the file is at no line in particular.
  const std::string where = path_.empty() ? *file_ : at_line(*file_, *node_);
  throw input_error(fmt::format("{}: {}: {}", where, join(path_, key), message));
}

void TomlValue::refuse_type(std::string_view expected) const {
  refuse(fmt::format("expected {}, found {}", expected, found_type(*node_)));
}

bool TomlValue::is_text(std::string_view text) const {
  const auto* value = node_->as_string();
  return value != nullptr && **value == text;
}

std::string TomlValue::text() const {
  if (!node_->is_string()) refuse_type("a text in quotes");
  return **node_->as_string();
}

std::vector<std::string> TomlValue::texts() const {
  std::vector<std::string> result;
  for (const TomlValue& element : elements()) result.push_back(element.text());
  return result;
}

bool TomlValue::truth() const {
  if (!node_->is_boolean()) refuse_type("true or false");
  return **node_->as_boolean();
}

std::int64_t TomlValue::integer() const {
  if (!node_->is_integer()) refuse_type("a whole number");
  return **node_->as_integer();
}

double TomlValue::number() const {
  if (!node_->is_number()) refuse_type("a number");
  const double value =
      node_->is_integer() ? static_cast<double>(**node_->as_integer()) : **node_->as_floating_point();
  if (!std::isfinite(value)) refuse(fmt::format("{} is not a finite number", value));
  return value;
}

double TomlValue::positive_number(double most) const {
  const double value = number();
  if (!(value > 0.0)) refuse(fmt::format("{} must be above 0", value));
  if (value > most) refuse(fmt::format("{} is too large to compute with; give at most {:g}", value, most));
  return value;
}

std::vector<TomlValue> TomlValue::elements() const {
  if (!node_->is_array()) refuse_type("a list");
  std::vector<TomlValue> result;
  for (const toml::node& element : *node_->as_array()) {
    result.emplace_back(*file_, element, fmt::format("{}[{}]", path_, result.size()));
  }
  return result;
}

std::vector<TomlValue> TomlValue::elements(std::size_t size, std::string_view what) const {
  std::vector<TomlValue> result = elements();
  if (result.size() != size) {
    refuse(fmt::format("the list has {} elements; it must have {}, {}", result.size(), size, what));
  }
  return result;
}

std::vector<std::pair<std::string, TomlValue>> TomlValue::members() const {
  if (!node_->is_table()) refuse_type("a table");
  std::vector<std::pair<std::string, TomlValue>> result;
  for (const auto& [key, value] : *node_->as_table()) {
    result.emplace_back(key.str(), TomlValue(*file_, value, join(path_, key.str())));
  }
  return result;
}

bool TomlValue::has(std::string_view key) const {
  return node_->as_table()->contains(key);
}

TomlValue TomlValue::at(std::string_view key) const {
  return {*file_, *node_->as_table()->get(key), join(path_, key)};
}

TomlValue TomlValue::required(std::string_view key, const std::string& what) const {
  if (!has(key)) refuse_inside(key, "the key is missing; " + what);
  return at(key);
}

void TomlValue::require_known_keys(std::initializer_list<std::string> known) const {
  const std::vector<std::string> names(known);
  for (const auto& [key, value] : members()) {
    if (std::find(names.begin(), names.end(), key) == names.end()) {
      value.refuse("unknown key" + base::suggestion(key, names, "known here are"));
    }
  }
}

}  // namespace interpole::data
