#include <interpole/bias_audit.hpp>
#include <interpole/error.hpp>
#include <interpole/fit.hpp>
#include <interpole/simulate.hpp>
#include <iostream>
#include <vector>

int main() {
  using namespace interpole;
  // A thousand records of a doctor who trusts a test too much; your own are made in the same way.
  const Environment doctor = bias();
  SimulateOptions simulation;
  simulation.patients = 1000;
  std::vector<Record> records;
  simulate(doctor, simulation, [&](const Record& record) { records.push_back(record); });

  // What is known beforehand; all else is learned. A study file can say it too (read_study).
  DecisionProblem problem = DecisionProblem::open(doctor.truth.structure);
  problem.known.dynamics.initial = {0.5, 0.5};
  problem.known.dynamics.transition = doctor.truth.agent.dynamics.transition;  // nobody falls ill or recovers
  problem.known.policy.inverse_temperature = 10;
  const int monitor = problem.structure.find_action("monitor");
  const int positive = problem.structure.find_observation("positive");
  problem.labels = LabelHint{{{monitor, positive}}, "a positive test", {0, 1}};  // healthy, diseased

  try {
    FitOptions options;
    options.seed = 1;
    const FitResult result = fit(problem, records, options);
    for (const auto& warning : result.quality.warnings) std::cout << "Doubt: " << warning << '\n';
    for (const auto& sentence : compare_agent_and_world(result, records).sentences) {
      std::cout << sentence << '\n';
    }
    write_fit("model.json", result);  // for every verb of the program
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
