// Aligned tables as text, for files and terminals.
#pragma once

#include <string>
#include <vector>

namespace interpole::service {

// The first column to the left, all others to the right, two blanks between them. A rule is drawn below
// `heading` rows. Cells are UTF-8; each character counts as one column.
std::string aligned_table(const std::vector<std::vector<std::string>>& rows, std::size_t heading);

}  // namespace interpole::service
