// Words that SQL keeps for itself. Internal.
#pragma once

#include <string_view>

namespace interpole::data {

// Whether any of the warehouses may refuse the word as a name without quotes. Case is ignored.
bool is_sql_word(std::string_view word);

}  // namespace interpole::data
