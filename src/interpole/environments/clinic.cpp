// An outpatient clinic whose patients come back after days or weeks. Its clinicians think that a flare comes
// more slowly than it does.
#include "interpole/belief.hpp"
#include "interpole/environment.hpp"

namespace interpole {
namespace {

enum ClinicAction { kSee, kTestMarker, kReferral };

// A day's rates of quiet → flare and of flare → quiet.
void set_clinic_rates(const Structure& structure, double flares, Dynamics& dynamics) {
  constexpr double kSettles = 0.03;
  const double rates[] = {-flares, flares, kSettles, -kSettles};
  const double none[] = {0.0, 0.0, 0.0, 0.0};
  for (const int action : {kSee, kTestMarker}) set_rates(structure, action, rates, dynamics);
  set_rates(structure, kReferral, none, dynamics);
}

// Rows are quiet, flare after "see", then after "test": score (mean, sd), joints (mean), marker (median, log
// sd). The marker has no meaning where it is not tested.
std::vector<double> clinic_parameters() {
  std::vector<double> all;
  for (int action = kSee; action <= kTestMarker; ++action) {
    all.insert(all.end(), {3.0, 1.0, 2.0, 6.0, 0.5});
    all.insert(all.end(), {5.0, 1.2, 5.0, 20.0, 0.6});
  }
  all.resize(all.size() + 10, 0.0);  // of the terminal action
  return all;
}

}  // namespace

Environment outpatient_clinic() {
  Environment environment;
  environment.name = "clinic";
  environment.longest_record = 12;
  environment.typical_patients = 1000;
  environment.results_lost = 0.3;  // of single cells
  environment.gaps = {3, 7, 7, 10, 14, 14, 28, 45};
  MeasuredFactor score{"score", Family::kNormal};
  score.unit = "points";
  const MeasuredFactor joints{"joints", Family::kPoisson};
  MeasuredFactor marker{"marker", Family::kLogNormal};
  marker.unit = "mg/L";
  marker.yielded_by = {0, 1, 0};
  Model& truth = environment.truth;
  truth.structure =
      Structure::of_factors({"quiet", "flare"}, {"see", "test", "refer"}, {score, joints, marker});
  truth.structure.make_terminal(kReferral);
  truth.structure.set_time({"days"});
  truth.agent.dynamics = Dynamics::filled(truth.structure, 0.0);
  truth.agent.dynamics.initial = {0.8, 0.2};
  truth.agent.dynamics.observation = clinic_parameters();
  truth.world = truth.agent.dynamics;
  set_clinic_rates(truth.structure, 0.01, truth.agent.dynamics);
  set_clinic_rates(truth.structure, 0.03, *truth.world);
  truth.agent.policy = {6.0, {1.0, 0.0, 0.6, 0.4, 0.0, 1.0}};
  return environment;
}

}  // namespace interpole
