#include "interpole/explain/cohorts/cohort_parts.hpp"

#include <algorithm>

#include "interpole/explain/disclosure/disclosure.hpp"

namespace interpole::explain {
namespace {

// The covariates of the data that an expression speaks of, in its order.
std::vector<std::size_t> places_of(const CohortData& data, const CohortExpression& cohort) {
  std::vector<std::size_t> places;
  for (const std::string& name : cohort.names()) {
    const auto& all = data.covariates();
    places.push_back(std::find(all.begin(), all.end(), name) - all.begin());
  }
  return places;
}

void grow(CohortParts& parts) {
  parts.patients.push_back(0);
  parts.tests.emplace_back();
  parts.imputed.emplace_back(parts.imputations);
  for (PartCounts& counts : parts.counts) {
    for (auto* list : {&counts.flagged, &counts.others, &counts.flagged_people, &counts.other_people}) {
      list->push_back(0);
    }
  }
}

void count_imputed(CohortParts& parts, std::size_t part, const PatientFlags& flags) {
  for (int k = 0; k < parts.imputations; ++k) {
    CohortParts::Imputed& sums = parts.imputed[part][k];
    sums.belated += flags.belated_in >> k & 1U;
    sums.uninformative += flags.uninformative_in[k] > 0 ? 1 : 0;
    sums.tests.add(flags.uninformative_in[k], flags.tests);
  }
}

void count(CohortParts& parts, std::size_t part, const PatientFlags& flags) {
  ++parts.patients[part];
  parts.tests[part].add(flags.uninformative, flags.tests);
  const auto person = [&](FlagKind kind, bool flagged) {
    PartCounts& counts = parts.counts[static_cast<int>(kind)];
    ++(flagged ? counts.flagged : counts.others)[part];
    ++(flagged ? counts.flagged_people : counts.other_people)[part];
  };
  person(FlagKind::kBelated, flags.belated);
  person(FlagKind::kUnlikely, flags.unlikely);
  person(FlagKind::kUninformativePatients, flags.uninformative > 0);
  PartCounts& tests = parts.counts[static_cast<int>(FlagKind::kUninformativeTests)];
  tests.flagged[part] += flags.uninformative;
  tests.others[part] += flags.tests - flags.uninformative;
  tests.flagged_people[part] += flags.uninformative > 0 ? 1 : 0;
  tests.other_people[part] += flags.tests > flags.uninformative ? 1 : 0;
}

}  // namespace

std::vector<std::vector<Membership>> memberships(const CohortData& data,
                                                 const std::vector<CohortExpression>& cohorts) {
  std::vector<std::vector<Membership>> result(data.patients(), std::vector<Membership>(cohorts.size()));
  std::vector<std::string> values;
  for (std::size_t c = 0; c < cohorts.size(); ++c) {
    const auto places = places_of(data, cohorts[c]);
    for (std::size_t i = 0; i < data.patients(); ++i) {
      values.clear();
      for (const std::size_t place : places) values.push_back(data.value(i, place));
      result[i][c] = cohorts[c].holds(values);
    }
  }
  return result;
}

GroupCells group_cells(const CohortData& data, std::int64_t min_cell) {
  GroupCells cells;
  std::map<std::string, std::int64_t> sizes;
  for (std::size_t i = 0; i < data.patients(); ++i) {
    if (!data.group(i).empty()) ++sizes[data.group(i)];
  }
  const NamedGroups named = named_groups(sizes, min_cell);
  cells.names = named.names;
  for (std::size_t i = 0; i < data.patients(); ++i) {
    const auto found = named.place.find(data.group(i));
    cells.of_patient.push_back(found == named.place.end() ? -1 : found->second);
  }
  return cells;
}

CohortParts cut_into_parts(const CohortData& data, const std::vector<CohortExpression>& cohorts,
                           const GroupCells* groups) {
  CohortParts parts;
  parts.imputations = data.patients() == 0 ? 0 : kImputations;
  for (std::size_t i = 0; i < data.patients(); ++i) {
    parts.imputations = std::min(parts.imputations, data.flags(i).imputed);
  }
  std::map<std::pair<std::vector<Membership>, int>, std::size_t> index;
  std::vector<int> group_of;  // [part]
  const auto members = memberships(data, cohorts);
  for (std::size_t i = 0; i < data.patients(); ++i) {
    const int group = groups == nullptr ? -1 : groups->of_patient[i];
    const auto [place, is_new] = index.emplace(std::pair(members[i], group), parts.members.size());
    if (is_new) {
      parts.members.push_back(members[i]);
      group_of.push_back(group);
      grow(parts);
    }
    count(parts, place->second, data.flags(i));
    count_imputed(parts, place->second, data.flags(i));
  }
  const std::size_t P = parts.members.size();
  parts.sets.push_back({PartSet(P, 1), PartSet(P, 0), PartSet(P, 0)});
  for (std::size_t c = 0; c < cohorts.size(); ++c) {
    CohortParts::Sets sets{PartSet(P, 0), PartSet(P, 0), PartSet(P, 0)};
    for (std::size_t p = 0; p < P; ++p) {
      const Membership member = parts.members[p][c];
      (member == Membership::kIn ? sets.in : member == Membership::kOut ? sets.out : sets.unknown)[p] = 1;
    }
    parts.sets.push_back(sets);
  }
  if (groups == nullptr) return parts;
  const bool left_out = std::find(group_of.begin(), group_of.end(), -1) != group_of.end();
  const int named = static_cast<int>(groups->names.size());
  for (int g = 0; g < named + (left_out ? 1 : 0); ++g) {
    const int cell = g < named ? g : -1;
    CohortParts::Sets sets{PartSet(P, 0), PartSet(P, 0), PartSet(P, 0)};
    for (std::size_t p = 0; p < P; ++p) (group_of[p] == cell ? sets.in : sets.out)[p] = 1;
    parts.sets.push_back(sets);
  }
  return parts;
}

PublishedRows published_rows(const CohortParts& parts, const PartCounts& counts, std::int64_t min_cell,
                             const std::vector<char>* may_compare) {
  PublishedRows result;
  const auto has_few = [&](const PartSet& set) {
    for (const auto* list : {&counts.flagged, &counts.others, &counts.flagged_people, &counts.other_people}) {
      if (is_small(sum_over(set, *list), min_cell)) return true;
    }
    return false;
  };
  for (std::size_t row = 0; row < parts.sets.size(); ++row) {
    const auto& [in, out, unknown] = parts.sets[row];
    PartSet others = out;
    for (std::size_t p = 0; p < others.size(); ++p) others[p] = in[p] == 0 ? 1 : 0;
    const bool complete = sum_over(unknown, parts.patients) == 0;
    const bool compared = (may_compare == nullptr || (*may_compare)[row] != 0) &&
                          (complete || (!has_few(unknown) && !has_few(out)));
    TableRow told{{in}, {out, unknown, others}};
    if (compared) told.sets = {in, out, unknown};
    result.rows.push_back(told);
    result.compared.push_back(compared ? 1 : 0);
  }
  return result;
}

}  // namespace interpole::explain
