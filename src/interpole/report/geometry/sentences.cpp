#include "interpole/report/geometry/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/number_text.hpp"

namespace interpole::report {
namespace {

std::string nowhere_sentence(const Structure& structure, const std::vector<char>& has_region) {
  std::vector<std::string> nowhere;
  for (int a = 0; a < structure.action_count(); ++a) {
    if (!has_region[a]) nowhere.push_back(named(structure.actions[a]));
  }
  if (nowhere.empty()) return "";
  return fmt::format("{} {} nowhere the likeliest action.", listed(nowhere),
                     nowhere.size() == 1 ? "is" : "are");
}

}  // namespace

std::string named(const std::string& name) {
  return name.find(' ') == std::string::npos ? name : "“" + name + "”";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::vector<std::string> interval_sentences(const Structure& structure,
                                            const std::vector<BeliefInterval>& intervals) {
  std::vector<std::string> sentences;
  std::vector<char> has_region(structure.actions.size(), 0);
  const std::string state = named(structure.states[1]);
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const BeliefInterval& region = intervals[i];
    const std::string action = named(structure.actions[region.action]);
    has_region[region.action] = 1;
    if (intervals.size() == 1) {
      sentences.push_back(fmt::format("{} is the likeliest action at every belief.", action));
    } else if (i == 0) {
      sentences.push_back(fmt::format("{} is the likeliest action while the belief in {} is below {}.",
                                      action, state, base::percent(region.high)));
    } else if (i + 1 < intervals.size()) {
      sentences.push_back(fmt::format("{} is the likeliest action between {} and {}.", action,
                                      base::percent(region.low), base::percent(region.high)));
    } else {
      sentences.push_back(
          fmt::format("{} becomes the likeliest action above {}.", action, base::percent(region.low)));
    }
  }
  const std::string nowhere = nowhere_sentence(structure, has_region);
  if (!nowhere.empty()) sentences.push_back(nowhere);
  return sentences;
}

std::vector<std::string> polygon_sentences(const Structure& structure,
                                           const std::vector<BeliefPolygon>& polygons) {
  std::vector<std::string> sentences;
  std::vector<char> has_region(structure.actions.size(), 0);
  for (const BeliefPolygon& region : polygons) {
    has_region[region.action] = 1;
    const std::string action = named(structure.actions[region.action]);
    std::vector<std::string> certain;
    for (const Belief3& corner : region.corners) {
      const auto top = std::max_element(corner.begin(), corner.end()) - corner.begin();
      if (corner[top] == 1.0) certain.push_back(named(structure.states[top]));
    }
    const std::string where =
        certain.empty() ? "" : fmt::format(", among them certainty of {}", listed(certain));
    sentences.push_back(fmt::format("{} is the likeliest action at {} of all possible beliefs{}.", action,
                                    base::percent(area_share(region)), where));
  }
  const std::string nowhere = nowhere_sentence(structure, has_region);
  if (!nowhere.empty()) sentences.push_back(nowhere);
  return sentences;
}

}  // namespace interpole::report
