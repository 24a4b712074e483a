// Whose rule of small counts a publication follows.
//
//   cms         cells from 1 to 10 are withheld: US Centers for Medicare & Medicaid Services
//   nhs         from 1 to 7: NHS England, Hospital Episode Statistics
//   ohdsi       from 1 to 4: the usual smallest cell of OHDSI's packages
//   datashield  from 1 to 2: DataSHIELD's nfilter.tab
//
// A preset is the smallest cell alone; complementary suppression is ours in any case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace interpole::service {

// Throws a usage error that lists the presets if there is none of this name.
std::int64_t min_cell_of_preset(const std::string& name);

std::vector<std::string> disclosure_presets();

}  // namespace interpole::service
