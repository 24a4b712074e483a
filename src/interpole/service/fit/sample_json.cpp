#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/base/json/json_number.hpp"
#include "interpole/service/fit/sample_task.hpp"

namespace interpole::service {
namespace {

using Json = nlohmann::ordered_json;

Json quantity_json(const learn::QuantitySummary& quantity) {
  const sampling::DrawsDiagnostics& diagnostics = quantity.diagnostics;
  return {{"name", quantity.name},
          {"mean", base::json_number(quantity.mean)},
          {"sd", base::json_number(quantity.sd)},
          {"q05", base::json_number(quantity.q05)},
          {"median", base::json_number(quantity.median)},
          {"q95", base::json_number(quantity.q95)},
          {"r_hat", base::json_number(diagnostics.r_hat)},
          {"ess_bulk", base::json_number(diagnostics.ess_bulk)},
          {"ess_tail", base::json_number(diagnostics.ess_tail)},
          {"mcse_mean", base::json_number(diagnostics.mcse_mean)},
          {"mcse_sd", base::json_number(diagnostics.mcse_sd)}};
}

Json chain_json(const learn::ChainQuality& quality, const learn::SampledChain& chain) {
  return {{"draws", quality.draws},
          {"divergent", quality.divergent},
          {"at_longest_path", quality.deepest},
          {"mean_accept", base::json_number(quality.mean_accept)},
          {"step_size", base::json_number(quality.step_size)},
          {"leapfrogs", quality.leapfrogs},
          {"e_bfmi", base::json_number(quality.e_bfmi)},
          {"states_renamed", chain.relabelled},
          {"draws_renamed", chain.relabelled_draws},
          {"warm_up_seconds", base::json_number(chain.warm_up_seconds)},
          {"sampling_seconds", base::json_number(chain.sampling_seconds)}};
}

}  // namespace

std::string to_json(const SampleOutcome& outcome) {
  const learn::SampleSummary& summary = outcome.summary;
  const learn::SampleQuality& quality = summary.quality;
  Json quantities = Json::array();
  for (const auto& quantity : quality.quantities) quantities.push_back(quantity_json(quantity));
  Json chains = Json::array();
  for (std::size_t c = 0; c < quality.chains.size(); ++c) {
    chains.push_back(chain_json(quality.chains[c], summary.chains[c]));
  }
  const Json json = {{"patients", outcome.data.patients},
                     {"decisions", outcome.data.decisions},
                     {"histories", outcome.data.histories},
                     {"draws", summary.draw_count()},
                     {"interrupted", summary.interrupted},
                     {"parameters_learned", summary.coordinates},
                     {"metric", learn::name_of(summary.metric)},
                     {"r_hat", base::json_number(quality.largest_r_hat())},
                     {"ess_bulk", base::json_number(quality.least_ess_bulk())},
                     {"ess_tail", base::json_number(quality.least_ess_tail())},
                     {"trusted", quality.doubts.empty()},
                     {"warnings", outcome.warnings},
                     {"quantities", quantities},
                     {"chains", chains},
                     {"fit",
                      {{"log_posterior", base::json_number(summary.fit.log_posterior)},
                       {"modes", summary.fit.modes.size()},
                       {"seconds", base::json_number(summary.fit.seconds)}}},
                     {"seconds", base::json_number(summary.seconds)}};
  return json.dump(2);
}

}  // namespace interpole::service
