#include "interpole/service/impossible.hpp"

#include <fmt/format.h>

#include "interpole/base/messages.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model/parameter_space.hpp"

namespace interpole::service {

std::string shown_place(std::span<const std::string> visits, std::span<const std::int64_t> numbers,
                        std::size_t t) {
  return visits.empty() ? fmt::format("step {}", numbers[t]) : "visit " + base::shown(visits[t]);
}

Error impossible_outcome(const Structure& structure, const DataFiles& data, const std::string& patient,
                         const std::string& place, int action, int observation, const std::string& whose,
                         const std::string& remedy) {
  const std::string outcome =
      observation == kMissing ? "what followed" : base::shown(structure.outcome_name(observation));
  const std::string who = data.counts ? patient : "patient " + base::shown(patient);
  return input_error(fmt::format("{}: {}, {}: {} calls {} after {} impossible (probability 0); {}",
                                 data.shown(), who, place, whose, outcome,
                                 base::shown(structure.actions[action]), remedy));
}

Error impossible_outcome(const Study& study, const DataFiles& data, const HistoryTree& tree, int node,
                         const std::string& whose, const std::string& remedy) {
  int action = 0;
  int observation = kMissing;
  for (const auto& group : tree.groups) {
    if (node < group.begin || node >= group.end) continue;
    action = group.action;
    observation = group.observation;
  }
  const data::KeptRecord record = data::record_at(study, data, tree.first_record[node]);
  const std::string where =
      shown_place(record.visits, record.numbers, static_cast<std::size_t>(tree.depth[node]) - 1);
  return impossible_outcome(study.structure, data, record.patient, where, action, observation, whose, remedy);
}

Error impossible_by_study(const Study& study, const DataFiles& data, const HistoryTree& tree, int node) {
  return impossible_outcome(study, data, tree, node, "the study's known values",
                            "correct the table, or free the zero under [known] in the study");
}

void require_possible(const Study& study, const DataFiles& data, const HistoryTree& tree) {
  // At the origin of the coordinates nothing is zero that is not known to be.
  const model::DynamicsSpace space(study.structure, study.known_world());
  const Dynamics open = space.point(std::vector<double>(space.size(), 0.0));
  const auto node = inference::node_beliefs(tree, study.structure, open).impossible;
  if (node) throw impossible_by_study(study, data, tree, *node);
}

}  // namespace interpole::service
