#include "interpole/data/records/visit_cells.hpp"

#include <fmt/format.h>

#include "interpole/base/messages.hpp"
#include "interpole/error.hpp"

namespace interpole::data {

std::array<int, 4> find_visit_columns(const std::vector<std::string>& columns, const std::string& path,
                                      std::size_t how_many) {
  std::array<int, 4> found{};
  const NameIndex index(columns);
  for (std::size_t i = 0; i < how_many; ++i) {
    found[i] = index.find(kVisitColumns[i]);
    if (found[i] < 0) {
      const std::string nearest = base::closest_name(kVisitColumns[i], columns);
      throw input_error(fmt::format(
          "{}: column \"{}\" is missing{}; the first line must name the columns patient, step, "
          "action and observation, "
          "and names {}",
          path, kVisitColumns[i], nearest.empty() ? "" : fmt::format("; is it {}?", base::shown(nearest)),
          base::name_list(columns)));
    }
  }
  return found;
}

FileVisits::FileVisits(const std::string& path, const Structure& structure)
    : actions_(structure.actions), observations_(structure.observations), table_(path) {
  table_.select(find_visit_columns(table_.columns(), path, kVisitColumns.size()));
}

bool FileVisits::read() {
  if (!table_.read()) return false;
  for (std::size_t column = 0; column < cells_.size(); ++column) cells_[column] = table_.cells(column);
  return true;
}

MemoryVisits::MemoryVisits(std::shared_ptr<const MemoryTableContent> content, const std::string& path,
                           const Structure& structure)
    : content_(std::move(content)), actions_(structure.actions), observations_(structure.observations) {
  std::vector<std::string> names;
  for (const MemoryColumn& column : content_->table().columns) names.push_back(column.name);
  const std::array<int, 4> found = find_visit_columns(names, path, kVisitColumns.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    columns_[i] = &content_->table().columns[static_cast<std::size_t>(found[i])];
  }
  action_of_ = places(*columns_[kAction], actions_);
  observation_of_ = places(*columns_[kObservation], observations_);
  met_.resize(columns_[kPatient]->categories.size());
}

std::vector<int> MemoryVisits::places(const MemoryColumn& column, const NameIndex& names) {
  std::vector<int> result;
  for (const std::string& category : column.categories) {
    result.push_back(category.empty() ? kNoText : names.find(category));
  }
  return result;
}

bool MemoryVisits::read() {
  if (was_read_ || content_->table().rows == 0) return false;
  was_read_ = true;
  return true;
}

bool MemoryVisits::begin(std::size_t i) {
  last_ = i;
  patient_.assign(text(kPatient, i));
  const MemoryColumn& column = *columns_[kPatient];
  if (column.codes.empty()) return ids_.seen_before(patient_);
  const auto code = static_cast<std::size_t>(column.codes[i]);
  const bool before = met_[code];
  met_[code] = true;
  return before;
}

}  // namespace interpole::data
