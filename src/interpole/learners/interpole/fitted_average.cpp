#include "interpole/learners/interpole/fitted_average.hpp"

#include <fmt/format.h>

#include "interpole/error.hpp"
#include "interpole/learners/content_json.hpp"
#include "interpole/model_file.hpp"

namespace interpole::learners {
namespace {

// `numbers_of` a member, averaged.
template <class NumbersOf>
std::vector<double> mean_over(const std::vector<FittedModel>& members, const NumbersOf& numbers_of) {
  std::vector<double> mean = numbers_of(members.front());
  for (std::size_t i = 1; i < members.size(); ++i) {
    const std::vector<double> numbers = numbers_of(members[i]);
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += numbers[k];
  }
  for (double& x : mean) x /= static_cast<double>(members.size());
  return mean;
}

}  // namespace

FittedAverage::FittedAverage(std::vector<Model> models, std::string fit_note, bool converged)
    : fit_note_(std::move(fit_note)), converged_(converged) {
  members_.reserve(models.size());
  for (Model& model : models) members_.emplace_back(std::move(model), fit_note_, converged);
}

std::vector<double> FittedAverage::policies(const HistoryTree& tree) const {
  return mean_over(members_, [&](const FittedModel& member) { return member.policies(tree); });
}

std::optional<std::vector<double>> FittedAverage::beliefs(const HistoryTree& tree) const {
  return mean_over(members_, [&](const FittedModel& member) { return *member.beliefs(tree); });
}

std::string FittedAverage::to_json() const {
  std::string text = "{\"minds\":[";
  for (std::size_t i = 0; i < members_.size(); ++i) {
    text += (i == 0 ? "" : ",") + format_model(*members_[i].model());
  }
  return text + "]}";
}

std::unique_ptr<FittedLearner> load_fitted_average(const std::string& json, const Structure& structure,
                                                   const std::string& where) {
  simdjson::dom::parser parser;
  const base::JsonPlace top(where);
  const base::JsonPlace place = top.at("content");
  const auto content = base::json_object(base::parse_json(parser, json, where), place);
  require_keys(content, place, {"minds"});
  const base::JsonPlace list = place.at("minds");
  std::vector<Model> models;
  for (const simdjson::dom::element member :
       base::json_array(base::json_member(content, "minds", place), list)) {
    const std::string at = list.at(models.size()).text();
    models.push_back(parse_model(simdjson::to_string(member), at));
    if (models.back().structure != structure) {
      throw input_error(
          fmt::format("{}: its states, actions or outcomes are not those of the file; fit it again", at));
    }
  }
  if (models.empty()) throw input_error(fmt::format("{}: empty; fit it again", list.text()));
  return std::make_unique<FittedAverage>(std::move(models), "read from " + where, true);
}

}  // namespace interpole::learners
