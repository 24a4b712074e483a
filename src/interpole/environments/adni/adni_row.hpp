// The columns of an ADNI table: their names, and what a row has in each.
#pragma once

#include <string>
#include <vector>

#include "interpole/environments/adni/adni_table.hpp"

namespace interpole::environments {

// Header line with its line break.
std::string adni_header(AdniFormat format);

// Appends the rows of one patient in time order, each with its line break. `begins` gets the place in `out`
// at which each row begins.
void append_adni_rows(std::uint64_t seed, const AdniPatient& patient, AdniFormat format, std::string& out,
                      std::vector<std::size_t>& begins);

}  // namespace interpole::environments
