// The names a .pomdp file declares and then refers to: by name, by number, or by * for all of them.
// Internal to reader and writer.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/planning/files/pomdp_text.hpp"

namespace interpole::planning {

// A word with a meaning of its own in the format, and so not a name.
bool is_reserved_word(std::string_view word);

struct IndexRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class DeclaredNames {
 public:
  DeclaredNames(const char* kind, const char* plural) : kind_(kind), plural_(plural) {}

  // What follows "states:": a count, or names up to the next word of the format.
  void declare(PomdpText& text, int line);
  // The next token: one of the names, or all of them for *.
  IndexRange refer(PomdpText& text) const;
  // The same without *.
  std::size_t refer_to_one(PomdpText& text) const;

  bool declared() const { return !names_.empty(); }
  const char* plural() const { return plural_; }
  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }

 private:
  void count(PomdpText& text);
  void list(PomdpText& text);
  [[noreturn]] void refuse_so_many(const PomdpText& text, int line) const;

  const char* kind_;    // "state"
  const char* plural_;  // "states"
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> index_;  // empty if they were only counted
};

}  // namespace interpole::planning
