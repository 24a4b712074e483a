// The decision tree of the paper's C.4 as an IOHMM. The paper names states and actions and leaves every
// number open; ours, and why:
//
// World. Of the patients who arrive, 35% have the disease. tst-dis grades the risk in five steps; by Bayes'
// rule the grades leave a risk b2(dis) of 0.05, 0.17, 0.32, 0.56 and 0.79. tst-typ tells type a, type b or
// neither with 95% reliability; half of the diseased have either type. "Neither" is what a healthy patient's
// test shows: it is how the share of the healthy among those tested, hence the risk behind each grade, can be
// seen in the data.
//
// Policy. η = 10. The means of tst-dis, stp-hlt, stp-dsa and stp-dsb are the corners ini, hlt, dsa and dsb;
// that of tst-typ is 0.4 hlt + 0.6 dis. With v_a(b) = 2 μ_a·b − |μ_a|² we have π(a|b) ∝ exp(η v_a(b)):
//
// 1. At ini, v is 1 for tst-dis, −0.52 for tst-typ and −1 for the stops: tst-dis is certain but for e^−15.
//
// 2. After tst-dis, at risk p, v is 1 − 2p for stp-hlt, 0.28 + 0.4 p for tst-typ and −1 for the others, which
//    stay 1.4 or more below (e^−14). The first two are equal at p = 0.30, which is the paper's formula,
//    (μ_tst-typ(dis) + μ_stp-hlt(dis)) / 2. Their log-odds, 24 (p − 0.30), make a boundary soft enough to
//    learn from: 64% are tested for the subtype at risk 0.32, 4% at 0.17.
//
// 3. After tst-typ, at the corner hlt stp-hlt leads tst-typ by 0.72 (e^−7.2); at dsa or dsb their own stop
//    leads by 1.52.
#include <algorithm>

#include "interpole/environment.hpp"

namespace interpole {
namespace {

enum State { kIni, kHlt, kDis, kDsa, kDsb, kStates };
enum Action { kTstDis, kTstTyp, kStpHlt, kStpDsa, kStpDsb, kActions };
constexpr int kGrades = 5;  // outcomes 0 … 4 belong to tst-dis, 5 … 7 to tst-typ
constexpr int kOutcomes = 8;

constexpr double kDiseased = 0.35;
constexpr double kGradeIfHealthy[kGrades] = {0.38, 0.26, 0.18, 0.12, 0.06};
constexpr double kGradeIfDiseased[kGrades] = {0.04, 0.10, 0.16, 0.28, 0.42};

Structure tree_structure() {
  Structure structure = Structure::unrestricted({"ini", "hlt", "dis", "dsa", "dsb"},
                                                {"tst-dis", "tst-typ", "stp-hlt", "stp-dsa", "stp-dsb"},
                                                {"risk-very-low", "risk-low", "risk-moderate", "risk-high",
                                                 "risk-very-high", "type-a", "type-b", "type-none"});
  for (int z = 0; z < kOutcomes; ++z) {
    structure.allowed[kTstDis * kOutcomes + z] = z < kGrades;
    structure.allowed[kTstTyp * kOutcomes + z] = z >= kGrades;
  }
  for (const int stop : {kStpHlt, kStpDsa, kStpDsb}) structure.make_terminal(stop);
  return structure;
}

void fill_transition(Dynamics& dynamics) {
  const auto row = [&](std::size_t action, int from) {
    return &dynamics.transition[(action * kStates + from) * kStates];
  };
  for (int a = 0; a < kActions; ++a) {
    for (int s = 0; s < kStates; ++s) row(a, s)[s] = 1.0;
  }
  double* const arrives = row(kTstDis, kIni);
  arrives[kIni] = 0.0;
  arrives[kHlt] = 1.0 - kDiseased;
  arrives[kDis] = kDiseased;
  double* const splits = row(kTstTyp, kDis);
  splits[kDis] = 0.0;
  splits[kDsa] = splits[kDsb] = 0.5;
}

// Rows that no belief ever reaches (say, tst-dis in dsa) are uniform over what the test can yield.
void fill_observation(Dynamics& dynamics) {
  const auto row = [&](std::size_t action, int state) {
    return &dynamics.observation[(action * kStates + state) * kOutcomes];
  };
  for (int s = 0; s < kStates; ++s) {
    std::fill_n(row(kTstDis, s), kGrades, 1.0 / kGrades);
    std::fill_n(row(kTstTyp, s) + kGrades, kOutcomes - kGrades, 1.0 / (kOutcomes - kGrades));
  }
  std::copy_n(kGradeIfHealthy, kGrades, row(kTstDis, kHlt));
  std::copy_n(kGradeIfDiseased, kGrades, row(kTstDis, kDis));
  constexpr int kCorners[] = {kDsa, kDsb, kHlt};  // in the order of the outcomes type-a, type-b, type-none
  for (int truth = 0; truth < 3; ++truth) {
    for (int shown = 0; shown < 3; ++shown) {
      row(kTstTyp, kCorners[truth])[kGrades + shown] = truth == shown ? 0.95 : 0.025;
    }
  }
}

Policy tree_policy(const Structure& structure) {
  Policy policy = Policy::filled(structure, 0.0);
  policy.inverse_temperature = 10.0;
  const auto mean = [&](std::size_t action) { return &policy.means[action * kStates]; };
  mean(kTstDis)[kIni] = 1.0;
  mean(kTstTyp)[kHlt] = 0.4;
  mean(kTstTyp)[kDis] = 0.6;
  mean(kStpHlt)[kHlt] = 1.0;
  mean(kStpDsa)[kDsa] = 1.0;
  mean(kStpDsb)[kDsb] = 1.0;
  return policy;
}

}  // namespace

Environment decision_tree() {
  Environment environment;
  environment.name = "tree";
  environment.longest_record = 100;  // almost all end at step 2 or 3
  Model& truth = environment.truth;
  truth.structure = tree_structure();
  Dynamics& dynamics = truth.agent.dynamics;
  dynamics = Dynamics::filled(truth.structure, 0.0);
  dynamics.initial[kIni] = 1.0;
  fill_transition(dynamics);
  fill_observation(dynamics);
  truth.agent.policy = tree_policy(truth.structure);
  truth.world = dynamics;
  return environment;
}

}  // namespace interpole
