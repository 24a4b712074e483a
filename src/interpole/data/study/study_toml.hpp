// TOML values as a study needs them, each read with a complaint that names file, line and key. Internal:
// needs toml++.
#pragma once

// Of toml++ itself: without NDEBUG one of them stops at "[{", which the parser then refuses in words.
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace interpole::data {

// A value and where it stands: what every complaint about it needs.
class TomlValue {
 public:
  TomlValue(const std::string& file, const toml::node& node, std::string path)
      : file_(&file), node_(&node), path_(std::move(path)) {}

  const toml::node& node() const { return *node_; }
  const std::string& path() const { return path_; }
  bool is_table() const { return node_->is_table(); }
  bool is_array() const { return node_->is_array(); }
  bool is_text(std::string_view text) const;

  // "FILE:LINE: key: message", an input error.
  [[noreturn]] void refuse(const std::string& message) const;

  // "expected …, found …".
  [[noreturn]] void refuse_type(std::string_view expected) const;

  // The same, for something that ought to be inside this table and is not.
  [[noreturn]] void refuse_inside(std::string_view key, const std::string& message) const;

  // Each refuses a value of another type, saying what it is.
  std::string text() const;
  std::vector<std::string> texts() const;
  bool truth() const;
  std::int64_t integer() const;
  double number() const;  // finite
  double positive_number(
      double most = std::numeric_limits<double>::infinity()) const;  // finite and above zero
  std::vector<TomlValue> elements() const;
  std::vector<TomlValue> elements(std::size_t size,
                                  std::string_view what) const;  // refuses any other number of them
  std::vector<std::pair<std::string, TomlValue>> members() const;

  // A member of this table; null node if it is not there is expressed by has().
  bool has(std::string_view key) const;
  TomlValue at(std::string_view key) const;                                 // must be there
  TomlValue required(std::string_view key, const std::string& what) const;  // refuses the table without it

  // Refuses the table if it has a key that is not among `known`.
  void require_known_keys(std::initializer_list<std::string> known) const;

 private:
  const std::string* file_;
  const toml::node* node_;
  std::string path_;
};

}  // namespace interpole::data
