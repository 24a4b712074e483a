#include "interpole/service/explorer/explorer_records.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "interpole/base/random.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/data/covariate_source.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"
#include "interpole/service/explain/audit_table.hpp"
#include "interpole/service/explorer/shown_outcomes.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

// Of a measured outcome only that there is one: its values are elsewhere.
Json steps_json(std::span<const Step> steps, const Structure& structure) {
  const int observations = structure.measured() ? 1 : structure.observation_count();
  Json codes = Json::array();
  for (const Step& step : steps) {
    const int outcome = structure.measured() ? std::min(step.observation, 0) : step.observation;
    codes.push_back(step.action * (observations + 1) + outcome + 1);
  }
  return codes;
}

}  // namespace

ExplorerRecords::ExplorerRecords(const ExplorerRequest& request, const Study& study,
                                 const std::vector<std::string>& covariates,
                                 const std::vector<PolicyCovariate>& followed, Sink& sink)
    : individual_(request.allow_individual), patients_(covariates) {
  HistoryTreeBuilder builder(study.structure.action_count());
  HistoryTreeBuilder apart(study.structure.action_count(), true, RecordClasses::kApart);
  if (request.data.counts) {
    builder.forget_order();
    apart.forget_order();
  }
  const auto take = [&](const data::RecordView& record, std::span<const std::string> values,
                        std::span<const double> context) {
    base::stop_if_asked(sink);
    builder.add(record.steps, record.count);
    apart.set_covariates(context);
    if (!context.empty()) apart.add(record.steps, record.count);
    for (std::int64_t i = 0; i < record.count; ++i) add(record, values);
  };
  if (request.records) {
    std::vector<std::int64_t> numbers;
    for (const Record& record : *request.records) {
      numbers.resize(record.steps.size());
      std::iota(numbers.begin(), numbers.end(), 1);
      std::vector<double> context = record.covariates;
      context.resize(data::any_followed(followed) ? followed.size() : 0, NAN);
      take({record.patient, record.steps, numbers}, {}, context);
    }
  } else if (covariates.empty() && !data::any_followed(followed)) {  // spares a visits table a second reading
    data::for_each_record(study, request.data, [&](const data::RecordView& record) { take(record, {}, {}); });
  } else {
    const auto columns = data::with_followed(covariates, study, request.data, followed);
    data::CovariateEncoder encoder(followed, columns, request.data);
    data::for_each_record_with(study, request.data, columns,
                               [&](const data::RecordView& record, std::span<const std::string> texts) {
                                 take(record, texts.first(covariates.size()), encoder.of(texts));
                               });
  }
  tree_ = builder.build();
  if (data::any_followed(followed)) apart_ = apart.build();
  const bool measured = study.structure.measured();
  arrange(study.structure, request.seed, request.most_visits,
          measured ? outcome_ranks(*study.structure.outcomes.table) : std::vector<int>());
}

void ExplorerRecords::add(const data::RecordView& record, std::span<const std::string> values) {
  patients_.add({}, values, record.group);
  steps_.insert(steps_.end(), record.steps.begin(), record.steps.end());
  begin_.push_back(steps_.size());
  const auto group =
      group_index_.try_emplace(std::string(record.group), static_cast<std::int32_t>(group_sizes_.size()));
  if (group.second) group_sizes_.push_back(0);
  group_.push_back(group.first->second);
  ++group_sizes_[group_.back()];
  if (!individual_) return;
  ids_.emplace_back(record.patient);
  visits_.push_back(visit_names(record));
}

// Records are sorted by what is in them before they are shuffled: a seed can be guessed, so a shuffle of the
// table's order alone could be undone by whoever knows that order.
double ExplorerRecords::gap_of(const Step& step, const Structure& structure) const {
  if (step.gap == kNoGap) return 0.0;
  const double gap = structure.gaps.table->at(step.gap);
  return individual_ ? gap : shown_gap(*structure.time, gap);
}

void ExplorerRecords::arrange(const Structure& structure, std::uint64_t seed, std::int64_t most_visits,
                              const std::vector<int>& ranks) {
  const auto rank_of = [&](int outcome) {
    return ranks.empty() || outcome == kMissing ? outcome : ranks[outcome];
  };
  const auto comes_before = [&](const Step& x, const Step& y) {
    if (x.action != y.action) return x.action < y.action;
    if (x.observation != y.observation) return rank_of(x.observation) < rank_of(y.observation);
    return x.gap != y.gap && gap_of(x, structure) < gap_of(y, structure);
  };
  order_.resize(static_cast<std::size_t>(count()));
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t x, std::int32_t y) {
    const auto a = steps(x);
    const auto b = steps(y);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), comes_before);
  });
  base::RandomStream random(seed, 0, base::RandomPurpose::kRecordOrder);
  for (std::size_t i = order_.size(); i > 1; --i) {
    const auto other = static_cast<std::size_t>(random.uniform() * static_cast<double>(i));
    std::swap(order_[i - 1], order_[std::min(other, i - 1)]);
  }
  while (shown_ < order_.size()) {
    const auto visits = static_cast<std::int64_t>(steps(order_[shown_]).size());
    if (shown_visits_ + visits > most_visits && shown_ > 0) break;
    shown_visits_ += visits;
    ++shown_;
  }
}

std::vector<int> ExplorerRecords::shown_outcomes() const {
  std::vector<int> outcomes;
  for (const std::int32_t record : shown()) {
    for (const Step& step : steps(record)) {
      if (step.observation != kMissing) outcomes.push_back(step.observation);
    }
  }
  return outcomes;
}

std::vector<std::vector<std::int64_t>> ExplorerRecords::members(
    const std::vector<explain::CohortExpression>& cohorts) const {
  const auto in = explain::memberships(patients_, cohorts);
  std::vector<std::vector<std::int64_t>> result(cohorts.size());
  for (std::size_t place = 0; place < shown_; ++place) {
    for (std::size_t c = 0; c < cohorts.size(); ++c) {
      if (in[order_[place]][c] == explain::Membership::kIn)
        result[c].push_back(static_cast<std::int64_t>(place));
    }
  }
  return result;
}

Json ExplorerRecords::gaps_json(std::size_t record, const Structure& structure) const {
  Json gaps = Json::array();
  const auto all = steps(record);
  for (std::size_t t = 0; t + 1 < all.size(); ++t) {
    const double gap = gap_of(all[t], structure);
    const bool whole = gap == std::floor(gap) && gap < 1e15;
    gaps.push_back(whole ? Json(static_cast<std::int64_t>(gap)) : Json(gap));
  }
  return gaps;
}

Json ExplorerRecords::json(const Structure& structure, const std::map<std::string, int>* places) const {
  Json all = {{"steps", Json::array()},
              {"ids", nullptr},
              {"visits", nullptr},
              {"groups", nullptr},
              {"sampled", sampled()}};
  std::vector<int> place_of_group(group_sizes_.size(), -1);
  if (individual_) all["ids"] = all["visits"] = Json::array();
  if (individual_ && places != nullptr) {
    all["groups"] = Json::array();
    for (const auto& [name, index] : group_index_) {
      const auto found = places->find(name);
      if (found != places->end()) place_of_group[index] = found->second;
    }
  }
  if (structure.timed()) all["gaps"] = Json::array();
  for (const std::int32_t record : shown()) {
    if (structure.timed()) all["gaps"].push_back(gaps_json(record, structure));
    all["steps"].push_back(steps_json(steps(record), structure));
    if (!individual_) continue;
    all["ids"].push_back(ids_[record]);
    all["visits"].push_back(visits_[record]);
    if (places != nullptr) all["groups"].push_back(place_of_group[group_[record]]);
  }
  return all;
}

}  // namespace interpole::service
