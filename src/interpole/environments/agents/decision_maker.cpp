#include "interpole/environments/agents/decision_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/random.hpp"
#include "interpole/belief.hpp"
#include "interpole/environments/agents/history_weights.hpp"
#include "interpole/environments/agents/seen_planner.hpp"
#include "interpole/error.hpp"

namespace interpole::environments {
namespace {

constexpr int kIllnessStates = 3;
constexpr int kMostMakerActions = 64;
constexpr double kDecided = 1.5;  // how far logits are apart: decisions are clear, not certain
constexpr double kShareOfFirst = 0.6;

// Mean vectors on beliefs of the world as it is.
class BeliefPolicy : public HistoryPolicy {
 public:
  BeliefPolicy(Structure structure, Dynamics world, base::RandomStream& random)
      : structure_(std::move(structure)), world_(std::move(world)) {
    policy_ = Policy::filled(structure_, 0.0);
    policy_.inverse_temperature = 4.0;
    const auto S = static_cast<std::size_t>(kIllnessStates);
    for (std::size_t a = 0; a < structure_.actions.size(); ++a) {
      double sum = 0.0;
      for (std::size_t s = 0; s < S; ++s) {
        sum += policy_.means[a * S + s] = 0.4 * random.normal() + (s == a % S ? 1.0 : 0.0);
      }
      for (std::size_t s = 0; s < S; ++s) policy_.means[a * S + s] += (1.0 - sum) / static_cast<double>(S);
    }
  }
  void chances(std::span<const Step> history, std::span<const double> /*covariates*/,
               std::span<double> chances) const override {
    std::vector<double> belief = world_.initial, next(belief.size());
    for (const Step& step : history) {
      update_belief(structure_, world_, step.action, step.observation, belief, next);
      belief.swap(next);
    }
    action_probabilities(structure_, policy_, belief, chances);
  }

 private:
  Structure structure_;
  Dynamics world_;
  Policy policy_;
};

std::vector<std::string> numbered_names(const char* what, int count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (int i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", what, i + 1));
  return names;
}

Structure ward_structure(int actions) {
  const char* level[] = {"low", "middle", "high"};
  std::vector<std::string> outcomes;
  for (const char* first : level) {
    for (const char* second : level) outcomes.push_back(fmt::format("{} | {}", first, second));
  }
  return Structure::unrestricted({"mild", "moderate", "severe"}, numbered_names("action", actions), outcomes);
}

// Illness comes and goes slowly, a little differently after every action; signs show it, more or less
// clearly.
Dynamics ward_world(const Structure& structure, base::RandomStream& random) {
  const int S = structure.state_count(), Z = structure.observation_count();
  Dynamics world = Dynamics::filled(structure, 0.0);
  world.initial = {0.5, 0.3, 0.2};
  for (int a = 0; a < structure.action_count(); ++a) {
    const double clear = 0.45 + 0.4 * random.uniform();
    const double better = 0.05 + 0.2 * random.uniform();
    const double worse = 0.05 + 0.15 * random.uniform();
    for (int s = 0; s < S; ++s) {
      double* row = &world.transition[static_cast<std::size_t>(a * S + s) * S];
      row[std::max(0, s - 1)] += better;
      row[std::min(S - 1, s + 1)] += worse;
      row[s] += 1.0 - better - worse;
      for (int z = 0; z < Z; ++z) {
        double p = 1.0;
        for (const int level : {z / kLevels, z % kLevels})
          p *= level == s ? clear : (1.0 - clear) / (kLevels - 1);
        world.observation[(a * S + s) * Z + z] = p;
      }
    }
  }
  return world;
}

}  // namespace

const std::vector<std::string>& decision_maker_names() {
  static const std::vector<std::string> names = {"linear", "network", "two-clinicians", "planner", "belief"};
  return names;
}

DecisionMaker decision_maker(const std::string& name, int actions, std::uint64_t seed) {
  if (actions < 2 || actions > kMostMakerActions) {
    throw usage_error(fmt::format("actions: {} is not between 2 and {}; choose another number", actions,
                                  kMostMakerActions));
  }
  base::RandomStream random(seed, static_cast<std::uint64_t>(actions), base::RandomPurpose::kDecisionMaker);
  DecisionMaker maker;
  maker.name = name;
  maker.structure = ward_structure(actions);
  maker.world = ward_world(maker.structure, random);
  const int outcomes = maker.structure.observation_count();
  if (name == "linear" || name == "two-clinicians") {
    maker.covariates = {{"marker", {}, 0.0, 1.0}, {"frailty", {}, 0.0, 1.0}};
  }
  if (name == "linear") {
    maker.policy = std::make_shared<LinearPolicy>(actions, kDecided / 2, random);
  } else if (name == "network") {
    maker.policy = std::make_shared<SmallNetwork>(actions, outcomes, kDecided, random);
  } else if (name == "two-clinicians") {
    LinearPolicy first(actions, kDecided / 2, random);
    maker.policy = std::make_shared<TwoClinicians>(
        std::move(first), LinearPolicy(actions, kDecided / 2, random), kShareOfFirst);
  } else if (name == "planner") {
    maker.policy = std::make_shared<SeenPlanner>(maker.structure, maker.world, kDecided, random);
  } else if (name == "belief") {
    maker.policy = std::make_shared<BeliefPolicy>(maker.structure, maker.world, random);
  } else {
    throw usage_error(fmt::format("there is no decision-maker \"{}\"; choose one of: {}", name,
                                  fmt::join(decision_maker_names(), ", ")));
  }
  return maker;
}

Record met_by(const DecisionMaker& maker, std::uint64_t seed, std::int64_t patient) {
  base::RandomStream random(seed, static_cast<std::uint64_t>(patient), base::RandomPurpose::kSimulation);
  const std::size_t S = maker.structure.states.size(), Z = maker.structure.observations.size();
  Record record;
  record.patient = fmt::format("p{:06}", patient);
  for (std::size_t c = 0; c < maker.covariates.size(); ++c) record.covariates.push_back(random.normal());
  std::vector<double> chances(maker.structure.actions.size());
  std::size_t state = random.categorical(maker.world.initial);
  while (static_cast<int>(record.steps.size()) < maker.longest) {
    maker.policy->chances(record.steps, record.covariates, chances);
    const int action = random.categorical(chances);
    state = random.categorical({&maker.world.transition[(action * S + state) * S], S});
    const int outcome = random.categorical({&maker.world.observation[(action * S + state) * Z], Z});
    record.steps.push_back({action, outcome});
  }
  return record;
}

std::vector<double> true_policies(const DecisionMaker& maker, const HistoryTree& tree,
                                  std::span<const Record> records) {
  const std::size_t A = maker.structure.actions.size();
  std::vector<double> result(tree.parent.size() * A, 0.0);
  for (const Record& record : records) {
    const auto path = tree.path_of(record.steps, record.covariates);
    for (std::size_t t = 0; t < path.size(); ++t) {
      const std::span<double> here(&result[static_cast<std::size_t>(path[t]) * A], A);
      if (here[0] > 0.0) continue;  // another record has been here
      maker.policy->chances(std::span(record.steps).first(t), record.covariates, here);
    }
  }
  return result;
}

}  // namespace interpole::environments
