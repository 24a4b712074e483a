#include "interpole/explain/cohorts/cohorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "interpole/base/number_text.hpp"
#include "interpole/error.hpp"
#include "interpole/explain/cohorts/cohort_parts.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"

namespace interpole::explain {
namespace {

constexpr std::size_t kMostLevels = 12;  // a covariate with more values makes no cohorts, nor do more groups

std::vector<std::string> recorded(const std::vector<std::string>& texts) {
  std::vector<std::string> values;
  std::copy_if(texts.begin(), texts.end(), std::back_inserter(values),
               [](const auto& x) { return !x.empty(); });
  std::sort(values.begin(), values.end());
  return values;
}

bool is_true_or_false(const std::vector<std::string>& values) {
  return std::all_of(values.begin(), values.end(), [](const auto& x) { return x == "true" || x == "false"; });
}

// A number with many values: a mean says more than cohorts.
bool is_measurement(const std::vector<std::string>& values) {
  return values.size() > kMostLevels && std::all_of(values.begin(), values.end(), [](const auto& x) {
           return base::number_in(x).has_value();
         });
}

// As it is written in an expression: bare if it can be.
std::string quoted(const std::string& text) {
  const bool bare =
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  const bool keyword = text == "and" || text == "or" || text == "not";
  if (bare && !keyword && !base::number_in(text)) return text;
  if (text.find('"') == std::string::npos) return '"' + text + '"';
  std::string inside;
  for (const char c : text) inside += c == '\'' ? "''" : std::string(1, c);
  return "'" + inside + "'";
}

ClusterSums tests_of(const CohortParts& parts, const PartSet& set) {
  ClusterSums sums;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i] != 0) sums += parts.tests[i];
  }
  return sums;
}

CohortParts::Imputed imputed_in(const CohortParts& parts, const PartSet& set, int draw) {
  CohortParts::Imputed sums;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i] == 0) continue;
    const CohortParts::Imputed& part = parts.imputed[i][draw];
    sums.belated += part.belated;
    sums.uninformative += part.uninformative;
    sums.tests += part.tests;
  }
  return sums;
}

// A cohort against the rest, where flags are known with a probability: the comparison by each draw, pooled.
std::optional<double> imputed_test(const CohortParts& parts, FlagKind kind, const PartSet& in,
                                   const PartSet& out) {
  const auto n = static_cast<double>(sum_over(in, parts.patients));
  const auto m = static_cast<double>(sum_over(out, parts.patients));
  std::vector<ShareDifference> by_draw;
  for (int k = 0; k < parts.imputations; ++k) {
    const CohortParts::Imputed x = imputed_in(parts, in, k);
    const CohortParts::Imputed y = imputed_in(parts, out, k);
    if (kind == FlagKind::kUninformativeTests) {
      if (x.tests.n == 0.0 || y.tests.n == 0.0) return std::nullopt;
      by_draw.push_back({x.tests.share() - y.tests.share(), x.tests.variance() + y.tests.variance()});
      continue;
    }
    const bool belated = kind == FlagKind::kBelated;
    by_draw.push_back(share_difference(static_cast<double>(belated ? x.belated : x.uninformative), n,
                                       static_cast<double>(belated ? y.belated : y.uninformative), m));
  }
  return pooled_test(by_draw);
}

std::optional<CohortShare> share_of(const CohortParts& parts, FlagKind kind, std::size_t row, bool compared,
                                    double level) {
  const PartCounts& counts = parts.counts[static_cast<int>(kind)];
  const auto& [in, out, unknown] = parts.sets[row];
  CohortShare share;
  share.flagged = sum_over(in, counts.flagged);
  const std::int64_t others = sum_over(in, counts.others);
  share.total = share.flagged + others;
  if (share.total == 0) return std::nullopt;
  const bool of_tests = kind == FlagKind::kUninformativeTests;
  share.share = of_tests
                    ? clustered_interval(tests_of(parts, in), level)
                    : wilson(static_cast<double>(share.flagged), static_cast<double>(share.total), level);
  if (row == 0 || !compared) return share;
  const std::int64_t rest_flagged = sum_over(out, counts.flagged);
  const std::int64_t rest_others = sum_over(out, counts.others);
  if (rest_flagged + rest_others == 0) return share;
  if (parts.imputations > 0 && kind != FlagKind::kUnlikely) {
    share.p_value = imputed_test(parts, kind, in, out);
    return share;
  }
  share.p_value = of_tests ? clustered_test(tests_of(parts, in), tests_of(parts, out))
                           : std::optional(fisher_exact(share.flagged, others, rest_flagged, rest_others));
  return share;
}

// Kind by kind, over all cohorts that are compared with their rest. A cohort and the one that is its rest, as
// women and men, are one comparison.
void adjust_for_their_number(const CohortParts& parts, std::vector<CohortRow>& rows) {
  for (int kind = 0; kind < kFlagKinds; ++kind) {
    std::map<std::set<PartSet>, std::size_t> comparisons;
    std::vector<double> p_values;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (!rows[row].flags[kind] || !rows[row].flags[kind]->p_value) continue;
      const std::set<PartSet> sides = {parts.sets[row].in, parts.sets[row].out};
      if (comparisons.emplace(sides, p_values.size()).second)
        p_values.push_back(*rows[row].flags[kind]->p_value);
    }
    const std::vector<double> adjusted = holm(p_values);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (!rows[row].flags[kind] || !rows[row].flags[kind]->p_value) continue;
      const auto found = comparisons.find({parts.sets[row].in, parts.sets[row].out});
      rows[row].flags[kind]->p_adjusted = adjusted[found->second];
    }
  }
}

bool has_flag(const PatientFlags& flags, FlagKind kind) {
  switch (kind) {
    case FlagKind::kBelated:
      return flags.belated;
    case FlagKind::kUnlikely:
      return flags.unlikely;
    default:
      return flags.uninformative > 0;
  }
}

// Which numbers may be shown, by kind and row.
struct Permissions {
  std::vector<char> size;
  std::array<std::vector<char>, kFlagKinds> flags;
  std::array<std::vector<char>, kFlagKinds> compared;
  std::vector<char> groups;  // sizes of the study's
  bool too_late = false;
};

// Rows that are public already. Row 0 has all patients, as everywhere.
struct Told {
  std::vector<char> size;
  std::array<std::vector<char>, kFlagKinds> flags;
  std::vector<std::string> groups;

  explicit Told(std::size_t rows) : size(rows, 0) { flags.fill(size); }
};

// `cohorts`: first those of the table, to which those of other tables are added.
Told told_rows(const std::vector<PublishedCohort>& published, const CohortData& data,
               std::vector<CohortExpression>& cohorts) {
  const auto row_of = [&](const std::string& text) {
    const auto found = std::find_if(cohorts.begin(), cohorts.end(),
                                    [&](const auto& cohort) { return cohort.text() == text; });
    return static_cast<std::size_t>(found - cohorts.begin()) + 1;
  };
  for (const PublishedCohort& row : published) {
    if (row.group || row.cohort == kAllPatients || row_of(row.cohort) <= cohorts.size()) continue;
    cohorts.push_back(CohortExpression::parse(row.cohort, data.covariates()));
  }
  Told told(cohorts.size() + 1);
  for (const PublishedCohort& row : published) {
    if (row.group) {
      if (row.patients) told.groups.push_back(row.cohort);
      continue;
    }
    const std::size_t place = row.cohort == kAllPatients ? 0 : row_of(row.cohort);
    told.size[place] = row.patients ? 1 : 0;
    for (int kind = 0; kind < kFlagKinds; ++kind) told.flags[kind][place] = row.flags[kind] ? 1 : 0;
  }
  return told;
}

// Sizes of cohorts and groups in one pass, since all of them are counts of the same patients.
Permissions permitted_sizes(const CohortData& data, const std::vector<CohortExpression>& cohorts,
                            const Told& told, std::int64_t min_cell) {
  Permissions may;
  const GroupCells groups = group_cells(data, min_cell);
  const bool with_groups = !groups.names.empty() && groups.names.size() <= kMostLevels;
  const CohortParts parts = cut_into_parts(data, cohorts, with_groups ? &groups : nullptr);
  std::vector<char> told_sizes = told.size;
  for (const std::string& name : groups.names) {
    const bool is_told = std::find(told.groups.begin(), told.groups.end(), name) != told.groups.end();
    told_sizes.push_back(is_told ? 1 : 0);
  }
  told_sizes.resize(parts.sets.size(), 0);
  const std::vector<std::int64_t> zero(parts.patients.size(), 0);
  const PartCounts sizes{parts.patients, zero, parts.patients, zero};
  const PublishedRows rows = published_rows(parts, sizes, min_cell);
  const Publishable found =
      publishable(rows.rows, sizes, std::vector<char>(parts.sets.size(), 0), min_cell, told_sizes);
  const auto first_group = found.shown.begin() + static_cast<std::ptrdiff_t>(cohorts.size()) + 1;
  may.size.assign(found.shown.begin(), first_group);
  may.groups.assign(first_group, found.shown.end());
  may.groups.resize(groups.names.size(), min_cell <= 1 ? 1 : 0);
  may.compared.fill(rows.compared);
  may.too_late = found.too_late;
  return may;
}

Permissions permissions_of(const CohortData& data, const CohortParts& parts,
                           const std::vector<CohortExpression>& cohorts, const Told& told,
                           std::int64_t min_cell) {
  const std::size_t rows = parts.sets.size();
  Permissions may = permitted_sizes(data, cohorts, told, min_cell);
  std::vector<char> only_all(rows, 0);  // how many tests there were in all is no secret
  only_all[0] = 1;
  for (int kind = 0; kind < kFlagKinds; ++kind) {
    const bool of_tests = kind == static_cast<int>(FlagKind::kUninformativeTests);
    const PublishedRows rows_of = published_rows(parts, parts.counts[kind], min_cell, &may.compared[kind]);
    const Publishable found = publishable(rows_of.rows, parts.counts[kind], of_tests ? only_all : may.size,
                                          min_cell, told.flags[kind]);
    may.flags[kind] = found.shown;
    may.compared[kind] = rows_of.compared;
    may.too_late |= found.too_late;
    // A share tells how many patients there are: no share without that number.
    for (std::size_t row = 0; row < rows; ++row) {
      if (may.size[row] == 0) may.flags[kind][row] = 0;
    }
  }
  return may;
}

// So that whoever knows the digits cannot tell over how many it is: to two digits of the standard deviation,
// and so coarse that a sum of values, which are `apart` at the closest, fits any number of them.
double rounded_to(double x, double sd, double apart, std::int64_t count) {
  auto digits = static_cast<int>(1.0 - std::floor(std::log10(sd)));  // after the point; before it if negative
  while (std::pow(10.0, -digits) * static_cast<double>(count) < 2.0 * apart) --digits;
  const double scale = std::pow(10.0, std::abs(digits));
  return digits > 0 ? std::round(x * scale) / scale : std::round(x / scale) * scale;
}

double closest(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double least = 0.0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double apart = values[i] - values[i - 1];
    if (apart > 0.0 && (least == 0.0 || apart < least)) least = apart;
  }
  return least;
}

// None if few values are behind it, or behind the difference to all patients, which is published too; nor if
// all are the same as far as digits show, which would tell everybody's.
std::optional<CohortMean::Moments> moments_of(const CohortData& data, std::size_t covariate,
                                              std::optional<FlagKind> kind, std::int64_t min_cell) {
  std::int64_t others = 0;
  double mean = 0.0;
  double squares = 0.0;
  std::vector<double> values;
  for (std::size_t i = 0; i < data.patients(); ++i) {
    const auto number = base::number_in(data.value(i, covariate));
    if (!number) continue;
    if (kind && !has_flag(data.flags(i), *kind)) {
      ++others;
      continue;
    }
    values.push_back(*number);
    const double step = *number - mean;
    mean += step / static_cast<double>(values.size());
    squares += step * (*number - mean);
  }
  const auto count = static_cast<std::int64_t>(values.size());
  if (count < 2 || count < min_cell || is_small(others, min_cell)) return std::nullopt;
  const double sd = std::sqrt(squares / static_cast<double>(count - 1));
  if (min_cell <= 1) return CohortMean::Moments{mean, sd};
  if (!(sd > 0.0)) return std::nullopt;
  const double apart = closest(std::move(values));
  const CohortMean::Moments moments{rounded_to(mean, sd, apart, count), rounded_to(sd, sd, apart, count)};
  return moments.sd > 0.0 ? std::optional(moments) : std::nullopt;
}

std::vector<CohortMean> means_of(const CohortData& data, const Permissions& may, std::int64_t min_cell) {
  std::vector<CohortMean> means;
  for (std::size_t c = 0; c < data.covariates().size(); ++c) {
    if (!is_measurement(recorded(data.texts(c)))) continue;
    CohortMean mean;
    mean.covariate = data.covariates()[c];
    mean.all = moments_of(data, c, std::nullopt, min_cell);
    for (int kind = 0; kind < kFlagKinds; ++kind) {
      if (may.flags[kind][0] != 0)
        mean.flagged[kind] = moments_of(data, c, static_cast<FlagKind>(kind), min_cell);
    }
    means.push_back(mean);
  }
  return means;
}

std::vector<GroupSize> group_sizes(const CohortData& data, const Permissions& may, std::int64_t min_cell) {
  const GroupCells cells = group_cells(data, min_cell);
  std::vector<std::int64_t> counts(cells.names.size(), 0);
  for (const int cell : cells.of_patient) {
    if (cell >= 0) ++counts[static_cast<std::size_t>(cell)];
  }
  std::vector<GroupSize> sizes;
  for (std::size_t g = 0; g < counts.size(); ++g) {
    sizes.push_back({cells.names[g], may.groups[g] != 0 ? std::optional(counts[g]) : std::nullopt});
  }
  return sizes;
}

CohortRow row_of(const CohortParts& parts, const Permissions& may, std::size_t row, double level) {
  CohortRow result;
  const PartSet& in = parts.sets[row].in;
  const auto all = static_cast<double>(sum_over(parts.sets[0].in, parts.patients));
  if (may.size[row] != 0) result.patients = sum_over(in, parts.patients);
  if (result.patients && may.size[0] != 0 && all > 0.0) {
    result.of_all = wilson(static_cast<double>(*result.patients), all, level);
  }
  for (int kind = 0; kind < kFlagKinds; ++kind) {
    if (may.flags[kind][row] == 0) continue;
    result.flags[kind] =
        share_of(parts, static_cast<FlagKind>(kind), row, may.compared[kind][row] != 0, level);
    const auto flagged = static_cast<double>(sum_over(parts.sets[0].in, parts.counts[kind].flagged));
    if (kind == static_cast<int>(FlagKind::kUninformativeTests) || may.flags[kind][0] == 0 ||
        flagged == 0.0) {
      continue;
    }
    result.of_flagged[kind] =
        wilson(static_cast<double>(sum_over(in, parts.counts[kind].flagged)), flagged, level);
  }
  return result;
}

}  // namespace

void CohortOptions::validate() const {
  if (min_cell < 0)
    throw usage_error(fmt::format("option min-cell: {} is negative; choose 0 or more", min_cell));
  if (!(level > 0.0 && level < 1.0)) {
    throw usage_error(fmt::format("option level: {} is not a share; choose between 0 and 1, as 0.95", level));
  }
}

CohortData::CohortData(std::vector<std::string> covariates)
    : covariates_(std::move(covariates)), texts_(covariates_.size()), index_(covariates_.size()) {}

void CohortData::add(const PatientFlags& flags, std::span<const std::string> values, std::string_view group) {
  flags_.push_back(flags);
  auto place = group_index_.find(group);
  if (place == group_index_.end()) {
    place = group_index_.emplace(group, static_cast<std::int32_t>(groups_.size())).first;
    groups_.emplace_back(group);
  }
  group_codes_.push_back(place->second);
  for (std::size_t c = 0; c < covariates_.size(); ++c) {
    auto found = index_[c].find(values[c]);
    if (found == index_[c].end()) {
      found = index_[c].emplace(values[c], static_cast<std::int32_t>(texts_[c].size())).first;
      texts_[c].push_back(values[c]);
    }
    codes_.push_back(found->second);
  }
}

std::vector<CohortExpression> default_cohorts(const CohortData& data,
                                              std::span<const std::string> covariates) {
  std::vector<CohortExpression> cohorts;
  for (const std::string& name : covariates) {
    const auto& all = data.covariates();
    const auto values = recorded(data.texts(std::find(all.begin(), all.end(), name) - all.begin()));
    if (is_true_or_false(values)) {
      if (!values.empty()) cohorts.push_back(CohortExpression::parse(quoted(name)));
    } else if (values.size() <= kMostLevels) {
      for (const auto& value : values) {
        cohorts.push_back(CohortExpression::parse(quoted(name) + " = " + quoted(value)));
      }
    }
  }
  return cohorts;
}

CohortTables cohort_tables(const CohortData& data, const std::vector<CohortExpression>& cohorts,
                           const CohortOptions& options) {
  options.validate();
  std::vector<CohortExpression> all = cohorts;  // then those that other tables have told of
  const Told told = told_rows(options.published, data, all);
  const CohortParts parts = cut_into_parts(data, all);
  const Permissions may = permissions_of(data, parts, all, told, options.min_cell);
  if (may.too_late) {
    throw input_error(fmt::format(
        "option cohort: what was published before gives away a count from 1 to {} of these cohorts, "
        "whatever is withheld now; publish others, or leave out those that overlap with few",
        options.min_cell - 1));
  }
  CohortTables tables;
  for (std::size_t row = 0; row <= cohorts.size(); ++row) {
    tables.rows.push_back(row_of(parts, may, row, options.level));
    tables.rows.back().name = row == 0 ? kAllPatients : cohorts[row - 1].text();
    tables.withheld |= may.size[row] == 0;
    for (const auto& flags : may.flags) tables.withheld |= flags[row] == 0;
  }
  adjust_for_their_number(parts, tables.rows);
  tables.means = means_of(data, may, options.min_cell);
  tables.groups = group_sizes(data, may, options.min_cell);
  return tables;
}

bool says_nothing(const CohortRow& row) {
  return !row.patients && std::none_of(row.flags.begin(), row.flags.end(),
                                       [](const auto& share) { return share.has_value(); });
}

void leave_out_unnameable(CohortTables& tables) {
  tables.rows.erase(std::remove_if(tables.rows.begin() + 1, tables.rows.end(), says_nothing),
                    tables.rows.end());
}

std::vector<PublishedCohort> published_by(const CohortTables& tables) {
  std::vector<PublishedCohort> published;
  for (const CohortRow& row : tables.rows) {
    PublishedCohort& cohort = published.emplace_back();
    cohort.cohort = row.name;
    cohort.patients = row.patients.has_value();
    for (int kind = 0; kind < kFlagKinds; ++kind) cohort.flags[kind] = row.flags[kind].has_value();
  }
  for (const GroupSize& group : tables.groups) {
    PublishedCohort& row = published.emplace_back();
    row.cohort = group.group;
    row.group = true;
    row.patients = group.patients.has_value();
  }
  return published;
}

}  // namespace interpole::explain
