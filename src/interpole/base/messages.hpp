// How input errors show what they found and what was probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace interpole::base {

// The text in double quotes, at most 40 characters of it (… where it was cut), control characters and quotes
// escaped.
std::string shown(std::string_view text);

// The name nearest to `text` by edit distance (case is a small difference), or an empty string if none is
// near.
std::string closest_name(std::string_view text, std::span<const std::string> names);

// "monitor", "declare-healthy", … (eight at most)
std::string name_list(std::span<const std::string> names);

// What to do about a name nobody knows: `; did you mean "monitor"?`, or else `; the actions are "monitor", …`
// where `list` is "the actions are".
std::string suggestion(std::string_view text, std::span<const std::string> names, std::string_view list);

}  // namespace interpole::base
