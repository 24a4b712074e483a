#include "interpole/service/impossible.hpp"

#include <fmt/format.h>

#include "interpole/data/messages.hpp"
#include "interpole/data/visits.hpp"

namespace interpole {

Error impossible_outcome(const std::string& data, const Structure& structure, const HistoryTree& tree,
                         int node, const std::string& whose, const std::string& remedy) {
  int action = 0;
  int observation = kMissing;
  for (const auto& group : tree.groups) {
    if (node < group.begin || node >= group.end) continue;
    action = group.action;
    observation = group.observation;
  }
  const RecordPlace place = place_of_record(data, structure, tree.first_record[node]);
  const std::string outcome =
      observation == kMissing ? "what followed" : shown(structure.observations[observation]);
  return input_error(
      fmt::format("{}: patient {}, step {}: {} calls {} after {} impossible (probability 0); {}", data,
                  shown(place.patient), place.numbers[tree.depth[node] - 1], whose, outcome,
                  shown(structure.actions[action]), remedy));
}

}  // namespace interpole
