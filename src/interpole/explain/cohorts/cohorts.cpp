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

constexpr std::size_t kMostLevels = 12;  // a covariate with more values makes no cohorts

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
  return text.find('"') == std::string::npos ? '"' + text + '"' : "'" + text + "'";
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
};

Permissions permissions_of(const CohortParts& parts, std::int64_t min_cell) {
  Permissions may;
  const std::size_t rows = parts.sets.size();
  const std::vector<char> none(rows, 0);
  std::vector<char> only_all(rows, 0);  // how many tests there were in all is no secret
  only_all[0] = 1;
  const std::vector<std::int64_t> zero(parts.patients.size(), 0);
  const PartCounts sizes{parts.patients, zero, parts.patients, zero};
  const PublishedRows of_sizes = published_rows(parts, sizes, min_cell);
  may.size = publishable(of_sizes.rows, sizes, none, min_cell);
  for (int kind = 0; kind < kFlagKinds; ++kind) {
    const bool of_tests = kind == static_cast<int>(FlagKind::kUninformativeTests);
    const PublishedRows told = published_rows(parts, parts.counts[kind], min_cell, &of_sizes.compared);
    may.flags[kind] = publishable(told.rows, parts.counts[kind], of_tests ? only_all : may.size, min_cell);
    may.compared[kind] = told.compared;
    // A share tells how many patients there are: no share without that number.
    for (std::size_t row = 0; row < rows; ++row) {
      if (may.size[row] == 0) may.flags[kind][row] = 0;
    }
  }
  return may;
}

// To two digits of the standard deviation: with all its digits a mean of whole numbers tells over how many.
double rounded_to(double x, double sd) {
  if (!(sd > 0.0)) return x;
  const double step = std::pow(10.0, std::floor(std::log10(sd)) - 1.0);
  return std::round(x / step) * step;
}

// None if few values are behind it, or behind the difference to all patients, which is published too.
std::optional<CohortMean::Moments> moments_of(const CohortData& data, std::size_t covariate,
                                              std::optional<FlagKind> kind, std::int64_t min_cell) {
  std::int64_t count = 0;
  std::int64_t others = 0;
  double mean = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < data.patients(); ++i) {
    const auto number = base::number_in(data.value(i, covariate));
    if (!number) continue;
    if (kind && !has_flag(data.flags(i), *kind)) {
      ++others;
      continue;
    }
    ++count;
    const double step = *number - mean;
    mean += step / static_cast<double>(count);
    squares += step * (*number - mean);
  }
  if (count < 2 || count < min_cell || is_small(others, min_cell)) return std::nullopt;
  const double sd = std::sqrt(squares / static_cast<double>(count - 1));
  if (min_cell <= 1) return CohortMean::Moments{mean, sd};
  return CohortMean::Moments{rounded_to(mean, sd), rounded_to(sd, sd)};
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

void CohortData::add(const PatientFlags& flags, std::span<const std::string> values) {
  flags_.push_back(flags);
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
  const CohortParts parts = cut_into_parts(data, cohorts);
  const Permissions may = permissions_of(parts, options.min_cell);
  CohortTables tables;
  for (std::size_t row = 0; row < parts.sets.size(); ++row) {
    tables.rows.push_back(row_of(parts, may, row, options.level));
    tables.rows.back().name = row == 0 ? "all patients" : cohorts[row - 1].text();
    tables.withheld |= may.size[row] == 0;
    for (const auto& flags : may.flags) tables.withheld |= flags[row] == 0;
  }
  adjust_for_their_number(parts, tables.rows);
  tables.means = means_of(data, may, options.min_cell);
  return tables;
}

}  // namespace interpole::explain
