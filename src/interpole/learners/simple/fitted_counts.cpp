#include "interpole/learners/simple/fitted_counts.hpp"

#include <nlohmann/json.hpp>

#include "interpole/learners/content_json.hpp"

namespace interpole::learners {

std::string FittedCounts::to_json() const {
  return nlohmann::ordered_json({{"smoothing", counted_.smoothing}, {"counts", counted_.counts}}).dump();
}

SmoothedCounts load_counts(const std::string& json, const std::string& where, std::size_t size,
                           const char* what) {
  simdjson::dom::parser parser;
  const base::JsonPlace top(where);
  const base::JsonPlace place = top.at("content");
  const auto content = base::json_object(base::parse_json(parser, json, where), place);
  require_keys(content, place, {"smoothing", "counts"});
  SmoothedCounts counted;
  counted.smoothing = json_positive(base::json_member(content, "smoothing", place), place.at("smoothing"));
  counted.counts = json_counts(base::json_member(content, "counts", place), place.at("counts"), size, what);
  return counted;
}

}  // namespace interpole::learners
