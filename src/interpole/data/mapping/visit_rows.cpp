#include "interpole/data/mapping/visit_rows.hpp"

namespace interpole::data {
namespace {

template <class Value>
const Value* column(duckdb_data_chunk chunk, idx_t index) {
  return static_cast<const Value*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, index)));
}

const std::uint64_t* validity(duckdb_data_chunk chunk, idx_t index) {
  return duckdb_vector_get_validity(duckdb_data_chunk_get_vector(chunk, index));
}

}  // namespace

VisitRows::VisitRows(const LockedTables& tables, const std::string& sql, std::size_t texts,
                     std::size_t values)
    : chunks_(tables.connection(), sql, tables.files()), texts_(texts), values_(values) {}

bool VisitRows::next_chunk() {
  row_ = 0;
  size_ = 0;
  const duckdb_data_chunk chunk = chunks_.next();
  if (chunk == nullptr) return false;
  size_ = duckdb_data_chunk_get_size(chunk);
  numbers_ = column<std::int64_t>(chunk, MappedSql::kIdNumber);
  number_validity_ = validity(chunk, MappedSql::kIdNumber);
  id_texts_ = column<duckdb_string_t>(chunk, MappedSql::kIdText);
  id_validity_ = validity(chunk, MappedSql::kIdText);
  places_ = column<double>(chunk, MappedSql::kPlace);
  place_validity_ = validity(chunk, MappedSql::kPlace);
  codes_ = column<std::int64_t>(chunk, MappedSql::kCode);
  for (std::size_t i = 0; i < texts_.size(); ++i) copy_cells(chunk, MappedSql::kFurther + i, texts_[i]);
  for (std::size_t i = 0; i < values_.size(); ++i)
    copy_numbers(chunk, MappedSql::kFurther + texts_.size() + i, kNoPlace, values_[i]);
  return true;
}

}  // namespace interpole::data
