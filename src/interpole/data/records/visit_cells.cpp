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

std::vector<int> find_factor_columns(const std::vector<std::string>& columns, const std::string& path,
                                     const Structure& structure) {
  std::vector<int> found;
  const NameIndex index(columns);
  for (const MeasuredFactor& factor : structure.factors) {
    found.push_back(index.find(factor.name));
    if (found.back() >= 0) continue;
    throw input_error(fmt::format(
        "{}: column {} is missing; the study measures a factor of that name: add the column, or "
        "remove the factor{}",
        path, base::shown(factor.name), base::suggestion(factor.name, columns, "the columns are")));
  }
  return found;
}

FileVisits::FileVisits(std::span<const std::string> parts, const Structure& structure)
    : actions_(structure.actions), observations_(structure.observations), table_(parts) {
  const std::string& path = parts[0];
  // Measured outcomes have a column for each factor instead of one for all.
  const std::size_t common = structure.measured() ? kObservation : kVisitColumns.size();
  const std::array<int, 4> four = find_visit_columns(table_.columns(), path, common);
  std::vector<int> wanted(four.begin(), four.begin() + static_cast<std::ptrdiff_t>(common));
  const std::vector<int> measured = find_factor_columns(table_.columns(), path, structure);
  wanted.insert(wanted.end(), measured.begin(), measured.end());
  table_.select(wanted);
  factors_.resize(measured.size());
}

bool FileVisits::read() {
  if (!table_.read()) return false;
  const std::size_t common = factors_.empty() ? cells_.size() : std::size_t{kObservation};
  for (std::size_t column = 0; column < common; ++column) cells_[column] = table_.cells(column);
  for (std::size_t f = 0; f < factors_.size(); ++f) factors_[f] = table_.cells(common + f);
  return true;
}

MemoryVisits::MemoryVisits(std::shared_ptr<const MemoryTableContent> content, const std::string& path,
                           const Structure& structure)
    : content_(std::move(content)),
      path_(path),
      actions_(structure.actions),
      observations_(structure.observations) {
  std::vector<std::string> names;
  for (const MemoryColumn& column : content_->table().columns) names.push_back(column.name);
  const std::size_t common = structure.measured() ? kObservation : kVisitColumns.size();
  const std::array<int, 4> found = find_visit_columns(names, path, common);
  for (const int column : find_factor_columns(names, path, structure))
    factors_.push_back(&content_->table().columns[static_cast<std::size_t>(column)]);
  for (std::size_t i = 0; i < common; ++i) {
    columns_[i] = &content_->table().columns[static_cast<std::size_t>(found[i])];
  }
  action_of_ = places(*columns_[kAction], actions_);
  if (!structure.measured()) observation_of_ = places(*columns_[kObservation], observations_);
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
