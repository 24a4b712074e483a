// A table in several files: its parts, whose rows follow each other in the order in which the files are
// named.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace interpole::data {

// Usage error if one of them is named twice, by whatever name or link: its rows would count twice.
void require_distinct_parts(std::span<const std::string> parts);

// Where the columns of the first part stand in another. Input error that names the file if it has not the
// same ones.
std::vector<int> columns_of_part(const std::vector<std::string>& columns,
                                 const std::vector<std::string>& of_first, const std::string& part,
                                 const std::string& first);

}  // namespace interpole::data
