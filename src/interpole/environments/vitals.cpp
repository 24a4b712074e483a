// An intermediate care unit whose clinicians see numbers: pressure and breaths at every visit, a lactate
// where they ask for one. They take a lactate in shock for lower than it is.
#include "interpole/environment.hpp"

namespace interpole {
namespace {

enum VitalsAction { kWatch, kMeasure, kTransfer };

// Rows are stable, shock after "watch", then after "measure": pressure (mean, sd), lactate (median, log sd),
// breaths (mean). Lactate has no meaning where it is not measured.
std::vector<double> vitals_parameters(double lactate_in_shock) {
  std::vector<double> all;
  for (int action = kWatch; action <= kMeasure; ++action) {
    all.insert(all.end(), {78.0, 9.0, 1.4, 0.4, 16.0});
    all.insert(all.end(), {62.0, 9.0, lactate_in_shock, 0.5, 22.0});
  }
  all.resize(all.size() + 10, 0.0);  // of the terminal action
  return all;
}

}  // namespace

Environment vitals() {
  Environment environment;
  environment.name = "vitals";
  environment.longest_record = 10;
  environment.typical_patients = 1000;
  environment.results_lost = 0.3;  // of single cells
  MeasuredFactor pressure{"pressure", Family::kNormal};
  pressure.unit = "mmHg";
  MeasuredFactor lactate{"lactate", Family::kLogNormal};
  lactate.unit = "mmol/L";
  lactate.yielded_by = {0, 1, 0};
  MeasuredFactor breaths{"breaths", Family::kPoisson};
  breaths.unit = "per minute";
  Model& truth = environment.truth;
  truth.structure = Structure::of_factors({"stable", "shock"}, {"watch", "measure", "transfer"},
                                          {pressure, lactate, breaths});
  truth.structure.make_terminal(kTransfer);
  truth.agent.dynamics = {
      {0.8, 0.2}, {0.93, 0.07, 0.1, 0.9, 0.93, 0.07, 0.1, 0.9, 1, 0, 0, 1}, vitals_parameters(3.1)};
  truth.agent.policy = {6.0, {1.0, 0.0, 0.6, 0.4, 0.0, 1.0}};
  truth.world = truth.agent.dynamics;
  truth.world->observation = vitals_parameters(4.4);
  return environment;
}

}  // namespace interpole
