#include "interpole/data/mapping/mapped_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpole/data/locked_sql/study_sql.hpp"
#include "interpole/data/mapping/mapped_stream.hpp"
#include "interpole/data/mapping/population.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

using Further = MappedSql::Further;

// Everything that stays the same while a table is read, once or twice.
class MappedReader {
 public:
  MappedReader(const Study& study, const DataFiles& files)
      : study_(study), tables_(*study.mapping, files), sql_(study, tables_) {
    check_expressions();
    for (const Factor& factor : study.mapping->factors) bins_.push_back(stated_bins(factor.bins));
    if (!sql_.derived_factors().empty()) derive_bins();
  }

  // All at once, and only if that fails the rows alone, which may be what is wrong, and one by one, so that
  // the complaint names the file or the key.
  void compute_covariates() {
    const std::vector<Covariate>& covariates = study_.mapping->covariates;
    const auto compute = [&](std::size_t begin, std::size_t end, const std::string& where) {
      std::string list;
      for (std::size_t i = begin; i < end; ++i) {
        list += fmt::format("{}count(CAST(({}\n) AS VARCHAR))", i == begin ? "" : ", ", covariates[i].sql);
      }
      DuckdbQuery(tables_.connection(), fmt::format("SELECT {} FROM {}", list, tables_.source()), where)
          .fetch();
    };
    if (covariates.empty()) return;
    try {
      compute(0, covariates.size(), tables_.files());
    } catch (const Error&) {
      DuckdbQuery(tables_.connection(), fmt::format("SELECT count(COLUMNS(*)) FROM {}", tables_.source()),
                  tables_.files())
          .fetch();
      for (std::size_t i = 0; i < covariates.size(); ++i)
        compute(i, i + 1, fmt::format("{}: covariates[{}].sql", study_.mapping->study, i));
      throw;
    }
  }

  template <class Visit>
  void run(Further further, MappingReport* report, const Visit& visit) {
    MappedStream stream(study_, tables_, sql_, bins_, further);
    MappingReport counts;
    for (std::size_t k = 0; k < bins_.size(); ++k) {
      counts.factors.push_back(
          {std::vector<std::int64_t>(study_.mapping->factors[k].levels.size()), 0, 0, bins_[k]});
    }
    while (stream.next()) {
      if (!visit(stream)) return;
    }
    count_levels(stream, counts.factors);
    counts.attrition = stream.attrition();
    counts.crowded = stream.attrition().rows_too_soon;
    if (report != nullptr) *report = std::move(counts);
  }

 private:
  void check_expressions() {
    const TableMapping& mapping = *study_.mapping;
    check_expression(mapping.filters.where, "filters.where", true);
    check_expression(mapping.filters.drop_if_last, "filters.drop_if_last", true);
    for (std::size_t i = 0; i < mapping.covariates.size(); ++i) {
      check_expression(mapping.covariates[i].sql, fmt::format("covariates[{}].sql", i), false);
    }
  }

  // Parsed and bound on its own, so that a complaint names the key.
  void check_expression(const std::string& sql, const std::string& key, bool condition) {
    if (sql.empty()) return;
    const std::string where = study_.mapping->study + ": " + key;
    require_expression(tables_.connection(), sql, study_.mapping->source.tables, where);
    // Beside a column, because an aggregate on its own would pass and fail later.
    const DuckdbQuery query(tables_.connection(),
                            fmt::format("SELECT {}, ({}\n) FROM {}",
                                        sql_identifier(study_.mapping->record.id), sql, tables_.source()),
                            where);
    if (query.column_types().size() != 2) throw input_error(where + ": must be one expression");
    if (condition && query.column_types()[1] != DUCKDB_TYPE_BOOLEAN) {
      throw input_error(where +
                        ": must be a condition, true or false for a row, such as \"AGE::DOUBLE >= 55\"");
    }
  }

  // The population are the visits that are kept, whatever their levels: which are kept does not depend on
  // bins.
  void derive_bins() {
    const std::vector<int>& derived = sql_.derived_factors();
    std::vector<Population> populations;
    populations.reserve(derived.size());
    for (const int k : derived) populations.emplace_back(study_.mapping->factors[k].bins);
    run(Further::kValues, nullptr, [&](const MappedStream& stream) {
      for (std::size_t t = 0; t < stream.visits(); ++t) {
        for (std::size_t i = 0; i < derived.size(); ++i) {
          if (counts_at(stream.steps(), t, study_.mapping->factors[derived[i]])) {
            populations[i].add(stream.value(t, i));
          }
        }
      }
      return true;
    });
    for (std::size_t i = 0; i < derived.size(); ++i) bins_[derived[i]] = populations[i].bins();
  }

  // Whether what stands in a row of the record came of an action in it. A value that is not the row's own
  // action's to yield is NaN already.
  bool counts_at(std::span<const Step> steps, std::size_t t, const Factor& factor) const {
    if (!factor.seen_before) return !study_.structure.is_terminal(steps[t].action);
    return t > 0 && factor.yielded(steps[t - 1].action);
  }

  void count_level(std::size_t k, int digit, std::int64_t visits, FactorReport& report) const {
    const Factor& factor = study_.mapping->factors[k];
    if (digit == FactorDigit::kMissingValue) {
      report.missing += visits;
    } else if (digit == FactorDigit::ignored_value(factor)) {
      report.ignored += visits;
      report.levels[factor.measured_levels()] += visits;
    } else {
      report.levels[digit - 1] += visits;
    }
  }

  void count_levels(const MappedStream& stream, std::vector<FactorReport>& factors) const {
    for (std::size_t k = 0; k < stream.kept_with_digit().size(); ++k) {
      for (std::size_t digit = 0; digit < stream.kept_with_digit()[k].size(); ++digit) {
        const std::int64_t visits = stream.kept_with_digit()[k][digit];
        if (visits > 0) count_level(k, static_cast<int>(digit), visits, factors[k]);
      }
    }
    if (!stream.kept_with_digit().empty()) return;
    for (std::size_t entry = 0; entry < stream.kept_with_code().size(); ++entry) {
      const std::int64_t visits = stream.kept_with_code()[entry];
      const CodedVisit& coded = stream.book()[static_cast<int>(entry)].visit;
      if (visits == 0 || study_.structure.is_terminal(coded.action)) continue;
      for (std::size_t k = 0; k < factors.size(); ++k) count_level(k, coded.digits[k], visits, factors[k]);
    }
  }

  const Study& study_;
  LockedTables tables_;
  MappedSql sql_;
  std::vector<UsedBins> bins_;
};

// 1, 2, …: as many as a record has steps.
class Positions {
 public:
  std::span<const std::int64_t> first(std::size_t count) {
    while (numbers_.size() < count) numbers_.push_back(static_cast<std::int64_t>(numbers_.size()) + 1);
    return {numbers_.data(), count};
  }

 private:
  std::vector<std::int64_t> numbers_;
};

}  // namespace

HistoryTree read_mapped_tree(const Study& study, const DataFiles& files, MappingReport* report,
                             const RecordVisitor& visit) {
  HistoryTreeBuilder builder(study.structure.action_count());
  Positions positions;
  MappedReader(study, files).run(Further::kNone, report, [&](const MappedStream& stream) {
    builder.add(stream.steps(), stream.diagnoses(), study.structure.state_count());
    if (visit) {
      visit({stream.patient(),
             stream.steps(),
             positions.first(stream.visits()),
             {},
             stream.diagnoses(),
             {},
             {}});
    }
    return true;
  });
  return builder.build();
}

void check_covariates(const Study& study, const DataFiles& files) {
  if (!study.mapping->covariates.empty()) MappedReader(study, files).compute_covariates();
}

void for_each_mapped_rows(const Study& given, const DataFiles& files,
                          const std::function<bool(const RowsView& rows)>& visit) {
  Study study = given;
  for (Factor& factor : study.mapping->factors) {
    factor.seen_before = true;
    if (!factor.yielded_by.empty()) factor.levels.pop_back();
    factor.yielded_by.clear();
  }
  const std::size_t factors = study.mapping->factors.size();
  std::vector<int> digits;
  std::vector<double> numbers;
  MappedReader(study, files).run(Further::kNone, nullptr, [&](const MappedStream& stream) {
    digits.clear();
    numbers.clear();
    for (std::size_t t = 0; t < stream.visits(); ++t) {
      for (std::size_t k = 0; k < factors; ++k) {
        digits.push_back(stream.digit(t, k));
        numbers.push_back(stream.number(t, k));
      }
    }
    return visit({stream.steps(), factors, digits, numbers});
  });
}

void for_each_mapped_record(const Study& study, const DataFiles& files,
                            const std::function<bool(const RecordView& record)>& visit, MappingReport* report,
                            RecordDetails details) {
  Positions positions;
  std::vector<std::string> visits;
  std::vector<std::string> covariates;
  const bool all = details == RecordDetails::kAll;
  if (all) covariates.resize(study.mapping->covariates.size());
  MappedReader(study, files)
      .run(all ? Further::kAll : Further::kVisits, report, [&](const MappedStream& stream) {
        visits.resize(stream.visits());
        for (std::size_t t = 0; t < visits.size(); ++t) visits[t] = stream.visit_name(t);
        for (std::size_t i = 0; i < covariates.size(); ++i) covariates[i] = stream.covariate(i);
        return visit({stream.patient(), stream.steps(), positions.first(visits.size()), visits,
                      stream.diagnoses(), covariates, all ? stream.group() : std::string_view()});
      });
}

}  // namespace interpole::data
