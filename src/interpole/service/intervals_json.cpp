#include "interpole/service/intervals_json.hpp"

#include <nlohmann/json.hpp>

namespace interpole::service {

using Json = nlohmann::ordered_json;

Json estimate_json(const Estimate& x) {
  return {{"estimate", x.middle}, {"low", x.low}, {"high", x.high}};
}

Json intervals_json(const Structure& structure, const explain::FitIntervals& intervals) {
  Json parameters = Json::object();
  for (const explain::ParameterEstimate& parameter : intervals.parameters) {
    parameters[parameter.name] = {{"best", parameter.best},
                                  {"median", parameter.estimate.middle},
                                  {"low", parameter.estimate.low},
                                  {"high", parameter.estimate.high}};
  }
  Json boundaries = Json::array();
  for (const explain::SideBoundaryEstimate& estimate : intervals.boundaries) {
    const explain::SideBoundary& b = estimate.boundary;
    boundaries.push_back({{"before", structure.actions[b.before]},
                          {"after", structure.actions[b.after]},
                          {"from", structure.states[b.from]},
                          {"to", structure.states[b.to]},
                          {"best", b.position},
                          {"median", estimate.position.middle},
                          {"low", estimate.position.low},
                          {"high", estimate.position.high},
                          {"present", estimate.present}});
  }
  return {{"level", intervals.level}, {"parameters", parameters}, {"boundaries", boundaries}};
}

}  // namespace interpole::service
