// A ward whose clinicians follow more than their beliefs, every term of a policy among it. They see the world
// as it is: what looks like a distorted picture here is none.
#include "interpole/environment.hpp"
#include "interpole/model/policy_terms.hpp"

namespace interpole {
namespace {

enum WardAction { kWait, kTest, kTreat };
constexpr int kWardActions = 3;

PolicyTerms ward_terms(const Structure& structure) {
  PolicyTerms terms;
  terms.inertia = 0.15;
  terms.lapse = 0.05;
  terms.covariates = {{"site", {"east", "north", "south"}}, {"age", {}, 60.0, 12.0}};
  PolicyTerm habit = model::term_filled(structure, terms, TermKind::kHabit, 0.0);
  habit.weights = {0.5, -0.4, -0.1, -0.5, 0.4, 0.1, 0, 0, 0};
  PolicyTerm time = model::term_filled(structure, terms, TermKind::kTime, 0.0, -1, 6);
  for (int step = 0; step < 6; ++step) {  // a test on arrival is the rule
    time.weights[step * kWardActions + kTest] = step == 0 ? 2.5 : -0.5;
    time.weights[step * kWardActions + kWait] = time.weights[step * kWardActions + kTreat] =
        step == 0 ? -1.25 : 0.25;
  }
  PolicyTerm missing = model::term_filled(structure, terms, TermKind::kResultMissing, 0.0);
  missing.weights = {-0.4, 0.8, -0.4};
  PolicyTerm site = model::term_filled(structure, terms, TermKind::kGroup, 0.0, 0);
  site.weights = {0.4, -0.2, -0.2, -0.2, 0.4, -0.2, -0.2, -0.2, 0.4};
  PolicyTerm age = model::term_filled(structure, terms, TermKind::kContext, 0.0, 1);
  age.weights = {0.2, 0.2, -0.4};
  terms.additive = {habit, time, missing, site, age};
  return terms;
}

}  // namespace

Environment plain_ward() {
  Environment environment;
  environment.name = "ward";
  environment.longest_record = 10;
  environment.typical_patients = 1000;
  Model& truth = environment.truth;
  truth.structure =
      Structure::unrestricted({"well", "ill"}, {"wait", "test", "treat"}, {"normal", "abnormal"});
  truth.structure.make_terminal(kTreat);
  // Patients fall ill; waiting shows a little, a test shows more; who seems ill enough is treated.
  truth.agent.dynamics = {{0.8, 0.2},
                          {0.92, 0.08, 0.05, 0.95, 0.92, 0.08, 0.05, 0.95, 1, 0, 0, 1},
                          {0.8, 0.2, 0.5, 0.5, 0.9, 0.1, 0.15, 0.85, 0, 0, 0, 0}};
  truth.agent.policy = {6.0, {1.0, 0.0, 0.6, 0.4, 0.0, 1.0}};
  truth.world = truth.agent.dynamics;
  return environment;
}

Environment ward() {
  Environment environment = plain_ward();
  environment.truth.agent.policy.terms = ward_terms(environment.truth.structure);
  environment.results_lost = 0.1;
  return environment;
}

Environment two_kinds_ward() {
  Environment environment = plain_ward();
  environment.name = "kinds";
  Policy& policy = environment.truth.agent.policy;
  policy.means = {0.8, 0.2, 0.35, 0.65, -0.15, 1.15};
  policy.other_kinds = {{0.35, 6.0, {1.15, -0.15, 0.8, 0.2, 0.4, 0.6}}};
  return environment;
}

Environment starts_ward() {
  Environment environment = plain_ward();
  environment.name = "starts";
  auto& covariates = environment.truth.agent.policy.terms.covariates;
  covariates = {{"sex", {"f", "m"}}, {"age", {}, 60.0, 12.0}};
  Dynamics& agent = environment.truth.agent.dynamics;
  agent.initial = {0.7, 0.3};
  agent.start = {{0, covariates[0], {-0.4, 0.4, 0.4, -0.4}}, {1, covariates[1], {-0.5, 0.5}}};
  environment.truth.world = agent;
  return environment;
}

Environment signed_ward() {
  constexpr double kRight = 0.75;
  Environment environment = plain_ward();
  environment.name = "signs";
  Model& truth = environment.truth;
  const Dynamics plain = *truth.world;
  truth.structure =
      Structure::unrestricted(truth.structure.states, truth.structure.actions,
                              {"normal, well", "normal, ill", "abnormal, well", "abnormal, ill"});
  truth.structure.make_terminal(kTreat);
  truth.world = Dynamics::filled(truth.structure, 0.0);
  truth.world->initial = plain.initial;
  truth.world->transition = plain.transition;
  for (int row = 0; row < 4; ++row) {  // of waiting and testing, in two states
    for (int z = 0; z < 4; ++z) {
      const bool right = z % 2 == row % 2;
      truth.world->observation[row * 4 + z] =
          plain.observation[row * 2 + z / 2] * (right ? kRight : 1 - kRight);
    }
  }
  truth.agent.dynamics = *truth.world;
  return environment;
}

}  // namespace interpole
