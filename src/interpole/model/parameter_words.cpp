#include "interpole/model/parameter_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpole/model/measured/families.hpp"

namespace interpole::model {
namespace {

constexpr std::string_view kGap = "gap of ";
constexpr std::string_view kWorld = "world.";
constexpr std::string_view kKind = "kind ";  // then its number and a space

enum class Row { kInitial, kTemperature, kMeans, kTransition, kObservation };

// Rows of one topic are said together.
struct Topic {
  Row row = Row::kInitial;
  std::string_view prefix;
  int action = 0;  // of transitions and observations
  bool operator==(const Topic&) const = default;
};

struct Place {
  Row row = Row::kInitial;
  int action = 0;
  int state = 0;
};

// Looked up, not taken apart: a name may hold brackets and commas.
std::map<std::string, Place> places_of(const Structure& structure) {
  std::map<std::string, Place> places = {{"initial_belief", {Row::kInitial, 0, 0}},
                                         {"inverse_temperature", {Row::kTemperature, 0, 0}}};
  for (int a = 0; a < structure.action_count(); ++a) {
    const std::string& action = structure.actions[a];
    places[fmt::format("means[{}]", action)] = {Row::kMeans, a, 0};
    for (int s = 0; s < structure.state_count(); ++s) {
      const std::string rest = fmt::format("[{},{}]", action, structure.states[s]);
      places["transition" + rest] = {Row::kTransition, a, s};
      places["observation" + rest] = {Row::kObservation, a, s};
      for (const MeasuredFactor& factor : structure.factors) {
        const std::string name = fmt::format("observation{} {}", rest, factor.name);
        places[name] = {Row::kObservation, a, s};
        for (const ParameterForm& form : forms_of(factor))
          places[name + " " + form.name] = {Row::kObservation, a, s};
      }
    }
  }
  return places;
}

std::string plain_words(const Structure& structure, const Topic& topic,
                        const std::vector<std::string>& subjects) {
  const bool one = subjects.size() == 1;
  const bool all = subjects.size() == structure.states.size();  // of states: then they need no names
  switch (topic.row) {
    case Row::kInitial:
      return topic.prefix.empty() ? "what is believed before the first decision" : "where patients start";
    case Row::kTemperature:
      return "how strictly decisions follow beliefs";
    case Row::kMeans:
      return fmt::format("where the {} of {} lie{}", one ? "mean" : "means", quoted_list(subjects),
                         one ? "s" : "");
    case Row::kTransition:
      return fmt::format("how {} change{} after \"{}\"", all ? "patients" : quoted_list(subjects),
                         one && !all ? "s" : "", structure.actions[topic.action]);
    default:
      return fmt::format("what \"{}\" shows{}", structure.actions[topic.action],
                         all ? "" : " if the patient is " + quoted_list(subjects, "or"));
  }
}

std::string words_of(const Structure& structure, const Topic& topic,
                     const std::vector<std::string>& subjects) {
  const std::string words = plain_words(structure, topic, subjects);
  if (topic.prefix == kGap) return "whether decision-maker and world differ in " + words;
  if (topic.prefix.starts_with(kKind)) {
    return fmt::format("{}, for {}", words, topic.prefix.substr(0, topic.prefix.size() - 1));
  }
  return topic.prefix == kWorld ? words + ", in the world" : words;
}

// What stands before the row's own name.
std::string_view prefix_of(std::string_view name) {
  if (name.starts_with(kGap)) return kGap;
  if (name.starts_with(kWorld)) return kWorld;
  if (!name.starts_with(kKind)) return {};
  return name.substr(0, name.find(' ', kKind.size()) + 1);
}

}  // namespace

std::string quoted_list(std::span<const std::string> names, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string between = i == 0 ? "" : i + 1 == names.size() ? fmt::format(" {} ", last) : ", ";
    text += fmt::format("{}\"{}\"", between, names[i]);
  }
  return text;
}

std::vector<std::string> parameter_words(const Structure& structure, std::span<const std::string> names) {
  const auto places = places_of(structure);
  std::vector<std::pair<Topic, std::vector<std::string>>> topics;
  for (const std::string& name : names) {
    const std::string_view prefix = prefix_of(name);
    const auto found = places.find(name.substr(prefix.size()));
    if (found == places.end()) continue;
    const Place& place = found->second;
    const bool of_action = place.row == Row::kTransition || place.row == Row::kObservation;
    const Topic topic{place.row, prefix, of_action ? place.action : 0};
    auto at = std::find_if(topics.begin(), topics.end(), [&](const auto& t) { return t.first == topic; });
    if (at == topics.end()) at = topics.insert(topics.end(), {topic, {}});
    const std::string& subject = of_action ? structure.states[place.state] : structure.actions[place.action];
    if (std::find(at->second.begin(), at->second.end(), subject) == at->second.end()) {
      at->second.push_back(subject);
    }
  }
  std::vector<std::string> result;
  result.reserve(topics.size());
  for (const auto& [topic, subjects] : topics) result.push_back(words_of(structure, topic, subjects));
  return result;
}

}  // namespace interpole::model
