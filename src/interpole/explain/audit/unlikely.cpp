#include "interpole/explain/audit/unlikely.hpp"

#include <algorithm>
#include <cmath>

#include "interpole/base/dealing/deal_tasks.hpp"
#include "interpole/base/random.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/belief.hpp"
#include "interpole/inference/decision_cells.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model/measured/draw_outcome.hpp"
#include "interpole/model/measured/outcome_weights.hpp"
#include "interpole/model/time/step_transitions.hpp"

namespace interpole::explain {
namespace {

constexpr std::int64_t kFewest = 20'000;
constexpr std::int64_t kMostSteps = 10'000'000;
constexpr std::int64_t kMostRecords = 500'000;
constexpr int kBlock = 1000;  // records simulated by one task

double entropy_of(const std::vector<double>& logs) {
  double entropy = 0.0;
  for (const double x : logs) {
    const double p = std::exp(x);
    if (p > 0.0) entropy -= p * x;
  }
  return entropy;
}

double share_at_least(const std::vector<double>& sorted, double x) {
  // Rounding must not decide between records with the same decisions.
  const double least = x - 1e-9 * std::max(1.0, std::abs(x));
  const auto above = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), least);
  return (1.0 + static_cast<double>(above)) / (1.0 + static_cast<double>(sorted.size()));
}

struct SimulatedRecord {
  std::vector<double> excess;  // after 1, 2, … decisions
  bool ended = false;
};

std::string packed(const std::vector<SimulatedRecord>& records) {
  base::PacketWriter out;
  for (const SimulatedRecord& record : records) out.add(record.ended).add(std::span(record.excess));
  return out.take();
}

std::vector<SimulatedRecord> unpacked(const std::string& bytes) {
  base::PacketReader in(bytes);
  std::vector<SimulatedRecord> records;
  while (!in.ended()) {
    const bool ended = in.get<bool>();
    records.push_back({in.numbers(), ended});
  }
  return records;
}

// The covariates of a record of the tree, drawn.
std::span<const double> drawn_covariates(const HistoryTree& tree, base::RandomStream& random) {
  if (tree.root_count == 1) return tree.covariates_of_root(0);
  const std::vector<double> records(tree.passes.begin(), tree.passes.begin() + tree.root_count);
  return tree.covariates_of_root(random.categorical(records));
}

// What the model says nothing of, as visits of the tree had it: how long it is to the next one, and which
// factors have a value there.
class RecordedVisits {
 public:
  RecordedVisits(const HistoryTree& tree, const Structure& structure)
      : visits_(structure.actions.size()), passes_(structure.actions.size()) {
    if (!structure.timed() && !structure.measured()) return;
    for (const HistoryTree::Group& group : tree.groups) {
      if (structure.timed() && group.gap == kNoGap) continue;  // the last of a record
      std::int64_t passes = 0;
      for (int node = group.begin; node < group.end; ++node) passes += tree.passes[node];
      auto& sums = passes_[group.action];
      sums.push_back((sums.empty() ? 0.0 : sums.back()) + static_cast<double>(passes));
      visits_[group.action].push_back(group.step());
    }
  }

  // With this action; without a gap and an outcome if there was none.
  Step drawn(int action, base::RandomStream& random) const {
    const auto& sums = passes_[action];
    if (sums.empty()) return {action};
    const auto place = std::upper_bound(sums.begin(), sums.end(), random.uniform() * sums.back());
    return visits_[action][std::min<std::size_t>(place - sums.begin(), sums.size() - 1)];
  }

 private:
  std::vector<std::vector<Step>> visits_;    // [action]
  std::vector<std::vector<double>> passes_;  // [action]: of all up to each
};

// One record after another, by one thread.
class RecordSimulation {
 public:
  // Keeps references.
  RecordSimulation(const Model& model, const RecordedVisits& recorded)
      : model_(model),
        structure_(model.structure),
        world_(model.world ? *model.world : model.agent.dynamics),
        recorded_(recorded),
        agent_transitions_(model.structure, model.agent.dynamics),
        world_transitions_(model.structure, world_) {}

  SimulatedRecord run(int longest, std::span<const double> covariates, base::RandomStream& random);

 private:
  // False: the agent calls what came of it impossible.
  bool go_on(int action, int& state, std::span<const double> belief, std::span<double> next,
             base::RandomStream& random);

  const Model& model_;
  const Structure& structure_;
  const Dynamics& world_;
  const RecordedVisits& recorded_;
  model::StepTransitions agent_transitions_, world_transitions_;
  std::vector<double> weights_;
  bool result_missing_ = false;  // of the last step
};

bool RecordSimulation::go_on(int action, int& state, std::span<const double> belief, std::span<double> next,
                             base::RandomStream& random) {
  const std::size_t S = structure_.states.size();
  const std::size_t Z = structure_.observations.size();
  const Dynamics& agent = model_.agent.dynamics;
  const Step like = recorded_.drawn(action, random);
  state = random.categorical(world_transitions_.of(like).subspan(state * S, S));
  Step step{action, kMissing, like.gap};
  result_missing_ = false;
  if (!structure_.measured()) {
    step.observation = random.categorical({&world_.observation[(action * S + state) * Z], Z});
    return update_belief(structure_, agent, step, agent_transitions_.of(step), belief, next) > 0.0;
  }
  update_belief(structure_, agent, step, agent_transitions_.of(step), belief, next);
  auto values = model::draw_outcome(structure_, world_, action, state, random);
  if (like.observation != kMissing) {
    const auto cells = structure_.outcomes.table->at(like.observation);
    for (std::size_t f = 0; f < values.size(); ++f) values[f] = std::isnan(cells[f]) ? NAN : values[f];
  } else {
    std::fill(values.begin(), values.end(), NAN);
    result_missing_ = true;
  }
  weights_.resize(S);
  model::outcome_weights(structure_, agent, action, values, weights_);
  double total = 0.0;
  for (std::size_t s = 0; s < S; ++s) total += next[s] *= weights_[s];
  if (!(total > 0.0)) return false;
  for (double& b : next) b /= total;
  return true;
}

SimulatedRecord RecordSimulation::run(int longest, std::span<const double> covariates,
                                      base::RandomStream& random) {
  const Model& model = model_;
  const Structure& structure = structure_;
  std::vector<double> belief = start_belief(model.agent.dynamics, covariates);
  std::vector<double> next(belief.size());
  std::vector<double> logs(structure.actions.size());
  std::vector<double> policy(structure.actions.size());
  int state = random.categorical(start_belief(world_, covariates));
  SimulatedRecord result;
  double excess = 0.0;
  DecisionContext context{.covariates = covariates};
  std::vector<double> kinds;  // drawn decision by decision: as likely as to draw one and keep it
  if (!model.agent.policy.other_kinds.empty()) kinds = model.agent.policy.kind_shares();
  context.kinds = kinds;
  for (int t = 0; t < longest && !result.ended; ++t) {
    context.step = t;
    log_action_probabilities(structure, model.agent.policy, belief, context, logs);
    std::transform(logs.begin(), logs.end(), policy.begin(), [](double x) { return std::exp(x); });
    const int a = random.categorical(policy);
    if (!kinds.empty()) kinds_after_decision(structure, model.agent.policy, belief, context, a, kinds);
    excess += -logs[a] - entropy_of(logs);
    result.excess.push_back(excess);
    result.ended = structure.is_terminal(a);
    context.last_action = a;
    if (result.ended) break;
    // What the agent calls impossible has no belief after it: the record stops being comparable there.
    if (!go_on(a, state, belief, next, random)) break;
    context.result_missing = result_missing_;
    belief.swap(next);
  }
  return result;
}

}  // namespace

RecordEnd end_of(const HistoryTree& tree, std::span<const Step> record, std::span<const double> covariates) {
  std::vector<Step> extended(record.begin(), record.end());
  if (record.back().observation == kMissing) {
    return {tree.path_of(record, covariates).back(), record.back().action};
  }
  extended.push_back({});
  return {tree.path_of(extended, covariates).back(), -1};
}

UnlikelyRecords::UnlikelyRecords(const HistoryTree& tree, const Model& model, const AuditOptions& options)
    : tree_(tree), structure_(model.structure) {
  sum_up(model);
  simulate(model, options);
  choose_cut(options.false_discoveries);
}

void UnlikelyRecords::sum_up(const Model& model) {
  const std::size_t nodes = tree_.parent.size();
  const std::size_t A = structure_.actions.size();
  const inference::NodeBeliefs beliefs = inference::node_beliefs(tree_, structure_, model.agent.dynamics);
  excess_.assign(nodes, 0.0);
  action_excess_.assign(nodes * A, 0.0);
  std::vector<double> kinds;
  const auto contexts = inference::node_contexts(tree_, structure_, model.agent.policy, beliefs, kinds);
  std::vector<double> logs(A);
  for (std::size_t node = 0; node < nodes; ++node) {
    log_action_probabilities(structure_, model.agent.policy, beliefs.at(static_cast<int>(node)),
                             contexts[node], logs);
    const double expected = entropy_of(logs);
    for (std::size_t a = 0; a < A; ++a) action_excess_[node * A + a] = -logs[a] - expected;
  }
  for (const HistoryTree::Group& group : tree_.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      const int parent = tree_.parent[node];
      excess_[node] = excess_[parent] + action_excess_[parent * A + group.action];
    }
  }
}

void UnlikelyRecords::simulate(const Model& model, const AuditOptions& options) {
  const int longest = *std::max_element(tree_.depth.begin(), tree_.depth.end()) + 1;
  // A tail probability must be able to get below share/records for one record to be named alone.
  const auto wanted =
      static_cast<std::int64_t>(2.0 * static_cast<double>(tree_.records) / options.false_discoveries);
  simulated_ = std::min({std::max(kFewest, wanted), kMostRecords, kMostSteps / longest});
  const auto blocks = static_cast<int>((simulated_ + kBlock - 1) / kBlock);
  simulated_ = std::int64_t{blocks} * kBlock;
  running_.resize(longest + 1);
  std::vector<std::vector<SimulatedRecord>> made(blocks);
  const RecordedVisits recorded(tree_, structure_);
  const auto simulate_block = [&](int block) {
    RecordSimulation simulation(model, recorded);
    for (int i = 0; i < kBlock; ++i) {
      base::RandomStream random(options.seed, static_cast<std::uint64_t>(block) * kBlock + i,
                                base::RandomPurpose::kReplicate);
      made[block].push_back(simulation.run(longest, drawn_covariates(tree_, random), random));
    }
  };
  base::deal_tasks(blocks, options.threads, simulate_block,
                   {[&](int block) { return packed(made[block]); },
                    [&](int block, const std::string& bytes) { made[block] = unpacked(bytes); }});
  for (const auto& block : made) {
    for (const SimulatedRecord& record : block) {
      const std::size_t running = record.excess.size() - (record.ended ? 1 : 0);
      for (std::size_t t = 0; t < running; ++t) running_[t + 1].push_back(record.excess[t]);
      if (record.ended) ended_.push_back(record.excess.back());
    }
  }
  for (auto& excess : running_) std::sort(excess.begin(), excess.end());
  std::sort(ended_.begin(), ended_.end());
}

double UnlikelyRecords::excess(RecordEnd end) const {
  if (end.action < 0) return excess_[end.node];
  return excess_[end.node] + action_excess_[end.node * structure_.actions.size() + end.action];
}

std::optional<double> UnlikelyRecords::tail(RecordEnd end) const {
  if (end.action >= 0 && structure_.is_terminal(end.action)) {
    if (ended_.empty()) return std::nullopt;
    return share_at_least(ended_, excess(end));
  }
  const auto& reference = running_[tree_.depth[end.node] + (end.action >= 0 ? 1 : 0)];
  if (reference.empty()) return std::nullopt;
  return share_at_least(reference, excess(end));
}

bool UnlikelyRecords::is_unlikely(RecordEnd end) const {
  const auto p = tail(end);
  return p && *p <= cut_;
}

void UnlikelyRecords::choose_cut(double share) {
  const std::size_t A = structure_.actions.size();
  // Records that end with an action: those that took it, less those that went on to an outcome of it.
  std::vector<std::int64_t> without_outcome = tree_.action_counts;
  for (const HistoryTree::Group& group : tree_.groups) {
    for (int node = group.begin; node < group.end; ++node) {
      without_outcome[tree_.parent[node] * A + group.action] -= tree_.passes[node];
    }
  }
  std::vector<std::pair<double, std::int64_t>> values;
  const auto take = [&](RecordEnd end, std::int64_t count) {
    const auto p = count > 0 ? tail(end) : std::nullopt;
    if (p) values.emplace_back(*p, count);
  };
  for (std::int32_t node = 0; node < tree_.node_count(); ++node) {
    if (node >= tree_.root_count) take({node, -1}, tree_.passes[node] - tree_.decisions_at(node));
    for (std::size_t a = 0; a < A; ++a) {
      take({node, static_cast<std::int32_t>(a)}, without_outcome[node * A + a]);
    }
  }
  cut_ = benjamini_hochberg_cut(std::move(values), share);
}

double benjamini_hochberg_cut(std::vector<std::pair<double, std::int64_t>> values, double share) {
  std::sort(values.begin(), values.end());
  std::int64_t total = 0;
  for (const auto& [p, count] : values) total += count;
  double cut = 0.0;
  std::int64_t rank = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    rank += values[i].second;
    if (i + 1 < values.size() && values[i + 1].first == values[i].first) continue;
    if (values[i].first <= share * static_cast<double>(rank) / static_cast<double>(total))
      cut = values[i].first;
  }
  return cut;
}

}  // namespace interpole::explain
