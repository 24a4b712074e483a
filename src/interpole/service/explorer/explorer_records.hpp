// The data of the explorer, read once and held: records, their tree, covariates and groups.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/data/records/visits.hpp"
#include "interpole/explain/cohorts/cohorts.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/service/explorer/explorer_data.hpp"
#include "interpole/sink.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

class ExplorerRecords {
 public:
  // `covariates`: those that cohorts need. `followed`: those of the policy (data/record_contexts.hpp).
  ExplorerRecords(const ExplorerRequest& request, const Study& study,
                  const std::vector<std::string>& covariates, const std::vector<PolicyCovariate>& followed,
                  Sink& sink);

  const HistoryTree& tree() const { return tree_; }
  // With classes of records apart, if the policy follows covariates: what the policy is applied to.
  const HistoryTree& tree_in_context() const { return apart_ ? *apart_ : tree_; }
  explain::CohortData& patients() { return patients_; }  // in the order of the table

  std::int64_t count() const { return static_cast<std::int64_t>(begin_.size()) - 1; }
  std::span<const Step> steps(std::size_t record) const {
    return {steps_.data() + begin_[record], begin_[record + 1] - begin_[record]};
  }

  // Of each cohort, its records by their place among those given.
  std::vector<std::vector<std::int64_t>> members(const std::vector<explain::CohortExpression>& cohorts) const;

  // Those that are given, in the order they are given in: records by their place in the table.
  std::span<const std::int32_t> shown() const { return {order_.data(), shown_}; }
  std::int64_t shown_visits() const { return shown_visits_; }
  bool sampled() const { return shown_ < order_.size(); }

  // How many patients each group has; [0]: those without.
  const std::vector<std::int64_t>& group_sizes() const { return group_sizes_; }

  // What was measured at the visits that are given, of those that have a result.
  std::vector<int> shown_outcomes() const;
  // RecordsJson of the document. `places`: of groups in the document, by name; null: groups are not given.
  nlohmann::ordered_json json(const Structure& structure, const std::map<std::string, int>* places) const;

 private:
  void add(const data::RecordView& record, std::span<const std::string> values);
  // `ranks`: of measured outcomes, in whose place they are compared; empty: outcomes are listed.
  void arrange(const Structure& structure, std::uint64_t seed, std::int64_t most_visits,
               const std::vector<int>& ranks);
  nlohmann::ordered_json gaps_json(std::size_t record, const Structure& structure) const;
  // From the step's visit to the next, as it is given; 0: there is none.
  double gap_of(const Step& step, const Structure& structure) const;

  bool individual_;
  HistoryTree tree_;
  std::optional<HistoryTree> apart_;
  explain::CohortData patients_;
  std::vector<Step> steps_;
  std::vector<std::size_t> begin_ = {0};
  std::vector<std::string> ids_;                  // with identifiers only, as visits_
  std::vector<std::vector<std::string>> visits_;  // [record]
  std::map<std::string, std::int32_t, std::less<>> group_index_ = {{"", 0}};
  std::vector<std::int32_t> group_;  // [record]
  std::vector<std::int64_t> group_sizes_ = {0};
  std::vector<std::int32_t> order_;
  std::size_t shown_ = 0;
  std::int64_t shown_visits_ = 0;
};

}  // namespace interpole::service
