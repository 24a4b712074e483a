#include "interpole/service/fit/states_task.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "interpole/data/study_data.hpp"
#include "interpole/error.hpp"
#include "interpole/service/name_study.hpp"

namespace interpole::service {
namespace {

bool read_count(std::string_view text, int& count) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc() && end == text.data() + text.size() && count >= 1;
}

}  // namespace

evaluate::StateCounts run_states(const StatesRequest& request, Sink& sink) {
  request.options.validate();
  const Study study = read_study(request.study);
  evaluate::FoldBuilder builder(study.structure.action_count(), request.folds, request.options.seed);
  if (request.data.counts) builder.forget_order();
  data::for_each_record(
      study, request.data,
      [&](const data::RecordView& record) { builder.add(record.steps, {}, record.count); },
      data::RecordDetails::kVisits);
  return name_study(request.study, [&] {
    return compare_state_counts(builder.build(), study, request.fewest, request.most, request.options, sink);
  });
}

std::string to_json(const evaluate::StateCounts& counts) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const evaluate::StateCountScore& score : counts.scores) {
    rows.push_back({{"states", score.states},
                    {"parameters_learned", score.parameters},
                    {"held_out_log_likelihood_per_decision", score.held_out},
                    {"standard_error", score.held_out_error},
                    {"log_evidence", score.log_evidence},
                    {"evidence_is_sure", score.evidence_is_sure},
                    {"converged", score.converged},
                    {"modes", score.modes}});
  }
  return Json({{"state_counts", rows}, {"left_out_of_the_study", counts.left_out}}).dump(2);
}

void parse_state_range(const std::string& text, int& fewest, int& most) {
  const auto dots = text.find("..");
  const bool good = dots == std::string::npos ? read_count(text, fewest) && read_count(text, most)
                                              : read_count(std::string_view(text).substr(0, dots), fewest) &&
                                                    read_count(std::string_view(text).substr(dots + 2), most);
  if (!good || most < fewest) {
    throw usage_error(
        fmt::format("option states: \"{}\" is not a range of numbers of states; write 2..5", text));
  }
}

}  // namespace interpole::service
