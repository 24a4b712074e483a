#include "interpole/learn/draws/sample.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "interpole/base/ranks/ranks.hpp"
#include "interpole/error.hpp"
#include "interpole/learn/draws/chain_run.hpp"
#include "interpole/learn/draws/chain_start.hpp"
#include "interpole/learn/draws/draws_file.hpp"
#include "interpole/learn/draws/relabel.hpp"
#include "interpole/learn/draws/shared_chains.hpp"
#include "interpole/learn/posterior/coupled_posterior.hpp"

namespace interpole::learn {
namespace {

std::string part_name(std::size_t chain) {
  return fmt::format("chain {}", chain + 1);
}

class Sampling {
 public:
  Sampling(const HistoryTree& tree, const DecisionProblem& problem, const SampleOptions& options,
           const Coupling& coupling, Sink& sink, base::Checkpoint* checkpoint)
      : problem_(problem),
        options_(options),
        sink_(sink),
        checkpoint_(checkpoint),
        likelihood_(tree, problem.structure, inference::Kernel::kVector,
                    options.chains == 1 || base::rank_context().together ? options.threads : 1),
        target_{options.dynamics, Measure::kCoordinates, coupling} {}

  std::unique_ptr<Posterior> make_target() const { return make_posterior(likelihood_, problem_, target_); }

  void begin(const FitSummary& fit, sampling::MetricKind metric) {
    sampling::NutsOptions nuts;
    nuts.warm_up = options_.warm_up;
    nuts.metric = metric;
    nuts.target_accept = options_.target_accept;
    const auto posterior = make_target();
    const ChainStarts starts = chain_starts(*posterior, problem_, fit, optimize::LbfgsOptions{}, metric,
                                            options_.chains, options_.seed);
    nuts.inverse_metric = starts.inverse_metric;
    nuts_ = nuts;
    for (int c = 0; c < options_.chains; ++c) {
      const auto saved = checkpoint_ != nullptr ? checkpoint_->recall(part_name(c)) : std::nullopt;
      if (saved) {
        runs_.push_back(from_text(*saved, c, fmt::format("{}: {}", checkpoint_->path(), part_name(c))));
      } else {
        runs_.emplace_back(make_target(), starts.points[c], nuts, options_.draws, options_.seed, c);
      }
    }
    chains_ = std::make_unique<SharedChains>(options_.chains);
  }

  // Until all chains have their draws or the user asks to stop.
  void run() {
    const auto stop = [&] { return sink_.stop_requested(); };
    tell();
    while (!chains_->done() && !stop()) {
      chains_->balance([&](int c) { return runs_[c].text(); },
                       [&](int c, const std::string& text) { runs_[c] = from_text(text, c, part_name(c)); });
      chains_->take_turns(options_.threads, [&](int c, double seconds) { runs_[c].advance(seconds, stop); });
      tell();
      if (checkpoint_ != nullptr && chains_->agree(checkpoint_->due())) save();
    }
    if (checkpoint_ != nullptr) save();
    chains_->gather([&](int c) { return runs_[c].text(); },
                    [&](int c, const std::string& text) { runs_[c] = from_text(text, c, part_name(c)); });
  }

  bool done() const {
    return std::all_of(runs_.begin(), runs_.end(), [](const ChainRun& run) { return run.done(); });
  }
  const std::vector<ChainRun>& runs() const { return runs_; }

 private:
  ChainRun from_text(const std::string& text, int chain, const std::string& place) const {
    return {make_target(), text, nuts_, options_.draws, options_.seed, chain, place};
  }

  // What every rank must know of chains, and the user.
  void tell() {
    const std::int64_t each = std::int64_t{options_.warm_up} + options_.draws;
    chains_->tell([&](int c) { return ChainProgress{runs_[c].iterations(), each - runs_[c].iterations()}; });
    sink_.progress("sampling", chains_->iterations(), each * options_.chains);
  }

  void save() const {
    chains_->gather(
        [&](int c) {
          std::string text = runs_[c].text();
          checkpoint_->remember(part_name(c), text);
          return text;
        },
        [&](int c, const std::string& text) { checkpoint_->remember(part_name(c), text); });
    checkpoint_->write();
  }

  const DecisionProblem& problem_;
  const SampleOptions& options_;
  Sink& sink_;
  base::Checkpoint* checkpoint_;
  inference::Likelihood likelihood_;
  PosteriorOptions target_;
  sampling::NutsOptions nuts_;
  std::vector<ChainRun> runs_;
  std::unique_ptr<SharedChains> chains_;
};

Error nothing_to_keep(const char* when, const base::Checkpoint* checkpoint) {
  std::string message = fmt::format("stopped {}; there are no draws to keep", when);
  if (checkpoint != nullptr) message += fmt::format("; the same command goes on from {}", checkpoint->path());
  return {ErrorKind::kInterrupted, message};
}

FitSummary fit_first(const HistoryTree& tree, const DecisionProblem& problem, const SampleOptions& options,
                     Sink& sink, base::Checkpoint* checkpoint) {
  FitOptions fitting;
  fitting.dynamics = options.dynamics;
  fitting.scales = options.scales;
  fitting.restarts = options.restarts;
  fitting.seed = options.seed;
  fitting.threads = options.threads;
  fitting.policy = options.policy;
  FitSummary summary = fit(tree, problem, fitting, sink, checkpoint);
  if (summary.interrupted) {
    if (checkpoint != nullptr) checkpoint->write();
    throw nothing_to_keep("before sampling had begun", checkpoint);
  }
  return summary;
}

// The σ of each kind of row, given all else.
CouplingScales draw_sigma(const CoupledPosterior& posterior, const sampling::NutsDraw& draw,
                          const Dynamics& agent, const std::vector<Field>& fields,
                          base::RandomStream& random) {
  CouplingScales scales;
  const auto gaps = posterior.space().gap_part(std::span<const double>(draw.position));
  for (const Field field : fields) {
    const auto weights = posterior.coupling_prior().scale_weights(field, gaps, agent);
    scales.of(field) = weights.sigma[random.categorical(weights.weight)];
  }
  return scales;
}

SampledChain explained(const ChainRun& run, const std::vector<Field>& fields, const SampleOptions& options,
                       std::uint64_t index) {
  SampledChain chain;
  chain.warm_up_seconds = run.warm_up_seconds();
  chain.sampling_seconds = run.sampling_seconds();
  const auto* coupled = dynamic_cast<const CoupledPosterior*>(&run.posterior());
  for (const sampling::NutsDraw& from : run.kept()) {
    SampledDraw draw;
    draw.agent_world = run.posterior().agent_world(from.position);
    if (coupled != nullptr && !fields.empty()) {
      base::RandomStream random(options.seed, static_cast<std::uint64_t>(from.iteration),
                                base::RandomPurpose::kSampledScale, index);
      draw.scales = draw_sigma(*coupled, from, draw.agent_world.agent.dynamics, fields, random);
    }
    draw.log_posterior = from.log_density;
    draw.energy = from.energy;
    draw.accept_stat = from.accept_stat;
    draw.step_size = from.step_size;
    draw.tree_depth = from.tree_depth;
    draw.leapfrogs = from.leapfrogs;
    draw.divergent = from.divergent;
    chain.draws.push_back(std::move(draw));
  }
  return chain;
}

std::vector<Field> sampled_scales(const Posterior& posterior, const SampleOptions& options) {
  std::vector<Field> fields;
  const auto* coupled = dynamic_cast<const CoupledPosterior*>(&posterior);
  if (coupled == nullptr || options.scales) return fields;
  for (const Field field : kCoupledFields) {
    const auto& links = coupled->space().links();
    const auto of_field = [&](const CoupledSpace::Link& link) { return link.block->field == field; };
    if (std::any_of(links.begin(), links.end(), of_field)) fields.push_back(field);
  }
  return fields;
}

DrawColumns columns_of(const Structure& structure, const SampleSummary& summary) {
  DrawColumns columns{draw_columns(structure, summary), {}};
  columns.values.assign(columns.names.size(), std::vector<std::vector<double>>(summary.chains.size()));
  for (std::size_t c = 0; c < summary.chains.size(); ++c) {
    for (const SampledDraw& draw : summary.chains[c].draws) {
      const auto values = draw_values(summary, draw);
      for (std::size_t i = 0; i < values.size(); ++i) columns.values[i][c].push_back(values[i]);
    }
  }
  // Whether a draw diverged is a property of the sampler, not a quantity; see ChainQuality.
  columns.names.erase(columns.names.begin() + 1);
  columns.values.erase(columns.values.begin() + 1);
  return columns;
}

}  // namespace

sampling::MetricKind metric_named(const std::string& name) {
  if (name == "dense") return sampling::MetricKind::kDense;
  if (name == "diagonal") return sampling::MetricKind::kDiagonal;
  throw usage_error(fmt::format("option metric: \"{}\" is not known; choose dense or diagonal", name));
}

std::string name_of(sampling::MetricKind metric) {
  return metric == sampling::MetricKind::kDense ? "dense" : "diagonal";
}

std::string scale_name(Field field) {
  return field == Field::kInitial      ? "initial_belief"
         : field == Field::kTransition ? "transition"
                                       : "observation";
}

void SampleOptions::validate() const {
  const auto at_least = [](const char* flag, int value, int least) {
    if (value < least) throw usage_error(fmt::format("{}: {} is below {}", flag, value, least));
  };
  at_least("option draws", draws, 1);
  at_least("option warm-up", warm_up, 0);
  at_least("option chains", chains, 1);
  at_least("option restarts", restarts, 0);
  at_least("option threads", threads, 0);
  if (!(target_accept > 0.0 && target_accept < 1.0)) {
    throw usage_error(
        fmt::format("option target-accept: {} is not between 0 and 1; 0.8 is usual", target_accept));
  }
  if (scales && dynamics != DynamicsMode::kCoupled) {
    throw usage_error(
        "option coupling: only coupled dynamics have one; remove it, or add option dynamics coupled");
  }
  if (scales && std::isinf(scales->observation)) {
    throw usage_error(
        "option coupling: with inf, agent and world know nothing of each other; draw the agent by option "
        "dynamics "
        "subjective");
  }
}

std::int64_t SampleSummary::draw_count() const {
  std::int64_t count = 0;
  for (const SampledChain& chain : chains) count += static_cast<std::int64_t>(chain.draws.size());
  return count;
}

std::vector<std::string> draw_columns(const Structure& structure, const SampleSummary& summary) {
  std::vector<std::string> names = {"log_posterior", "divergent"};
  const auto agent_world =
      agent_world_columns(structure, summary.fit.parameters.policy, summary.fit.world.has_value(),
                          summary.fit.parameters.dynamics.start);
  names.insert(names.end(), agent_world.begin(), agent_world.end());
  for (const Field field : summary.scale_fields) names.push_back(fmt::format("scale[{}]", scale_name(field)));
  return names;
}

std::vector<double> draw_values(const SampleSummary& summary, const SampledDraw& draw) {
  std::vector<double> values = {draw.log_posterior, draw.divergent ? 1.0 : 0.0};
  const auto agent_world = agent_world_values(draw.agent_world, !summary.fit.parameters.policy.terms.none());
  values.insert(values.end(), agent_world.begin(), agent_world.end());
  for (const Field field : summary.scale_fields) values.push_back(draw.scales.of(field));
  return values;
}

SampleSummary sample(const HistoryTree& tree, const DecisionProblem& problem, const SampleOptions& options,
                     Sink& sink, base::Checkpoint* checkpoint) {
  options.validate();
  const Coupling coupling{options.scales.value_or(CouplingScales{}), !options.scales};
  SampleSummary summary;
  const inference::Likelihood likelihood(tree, problem.structure);
  if (make_posterior(likelihood, problem, {options.dynamics, Measure::kCoordinates, coupling})->size() == 0) {
    throw input_error(
        "the study knows every value, so there is nothing to draw; remove something from [known] to learn "
        "it");
  }
  summary.fit = fit_first(tree, problem, options, sink, checkpoint);
  if (summary.fit.impossible_node) return summary;
  // More ranks than chains to deal to them work together on each chain, if that is worth it.
  const base::RankScope scope(
      base::together(base::ranks().size() > options.chains && inference::worth_sharing(tree)));
  Sampling sampling(tree, summary.fit.problem, options, coupling, sink, checkpoint);
  const auto target = sampling.make_target();
  summary.coordinates = target->size();
  summary.metric =
      options.metric.value_or(summary.coordinates <= kMostDenseCoordinates ? sampling::MetricKind::kDense
                                                                           : sampling::MetricKind::kDiagonal);
  summary.scale_fields = sampled_scales(*target, options);

  const auto begin = std::chrono::steady_clock::now();
  sampling.begin(summary.fit, summary.metric);
  sampling.run();
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  summary.interrupted = !sampling.done();
  for (const ChainRun& run : sampling.runs()) {
    summary.chains.push_back(explained(run, summary.scale_fields, options, summary.chains.size()));
  }
  if (summary.draw_count() == 0) throw nothing_to_keep("during warm-up", checkpoint);
  align_draws(tree, problem, summary.fit.parameters, summary.chains);
  summary.quality =
      judge_draws(summary.chains, columns_of(problem.structure, summary), sampling::NutsOptions{}.most_depth);
  return summary;
}

}  // namespace interpole::learn
