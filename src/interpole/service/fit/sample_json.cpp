#include <cmath>
#include <nlohmann/json.hpp>

#include "interpole/service/fit/sample_task.hpp"

namespace interpole {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& x) {
  return x && std::isfinite(*x) ? Json(*x) : Json(nullptr);
}

Json quantity_json(const QuantitySummary& quantity) {
  const DrawsDiagnostics& diagnostics = quantity.diagnostics;
  return {{"name", quantity.name},
          {"mean", number(quantity.mean)},
          {"sd", number(quantity.sd)},
          {"q05", number(quantity.q05)},
          {"median", number(quantity.median)},
          {"q95", number(quantity.q95)},
          {"r_hat", number(diagnostics.r_hat)},
          {"ess_bulk", number(diagnostics.ess_bulk)},
          {"ess_tail", number(diagnostics.ess_tail)},
          {"mcse_mean", number(diagnostics.mcse_mean)},
          {"mcse_sd", number(diagnostics.mcse_sd)}};
}

Json chain_json(const ChainQuality& quality, const SampledChain& chain) {
  return {{"draws", quality.draws},
          {"divergent", quality.divergent},
          {"at_longest_path", quality.deepest},
          {"mean_accept", number(quality.mean_accept)},
          {"step_size", number(quality.step_size)},
          {"leapfrogs", quality.leapfrogs},
          {"e_bfmi", number(quality.e_bfmi)},
          {"states_renamed", chain.relabelled},
          {"draws_renamed", chain.relabelled_draws},
          {"warm_up_seconds", number(chain.warm_up_seconds)},
          {"sampling_seconds", number(chain.sampling_seconds)}};
}

}  // namespace

std::string to_json(const SampleOutcome& outcome) {
  const SampleSummary& summary = outcome.summary;
  const SampleQuality& quality = summary.quality;
  Json quantities = Json::array();
  for (const auto& quantity : quality.quantities) quantities.push_back(quantity_json(quantity));
  Json chains = Json::array();
  for (std::size_t c = 0; c < quality.chains.size(); ++c) {
    chains.push_back(chain_json(quality.chains[c], summary.chains[c]));
  }
  const Json json = {{"patients", outcome.patients},
                     {"decisions", outcome.decisions},
                     {"histories", outcome.histories},
                     {"draws", summary.draw_count()},
                     {"interrupted", summary.interrupted},
                     {"parameters_learned", summary.coordinates},
                     {"metric", name_of(summary.metric)},
                     {"r_hat", number(quality.largest_r_hat())},
                     {"ess_bulk", number(quality.least_ess_bulk())},
                     {"ess_tail", number(quality.least_ess_tail())},
                     {"trusted", quality.doubts.empty()},
                     {"warnings", outcome.warnings},
                     {"quantities", quantities},
                     {"chains", chains},
                     {"fit",
                      {{"log_posterior", number(summary.fit.log_posterior)},
                       {"modes", summary.fit.modes.size()},
                       {"seconds", number(summary.fit.seconds)}}},
                     {"seconds", number(summary.seconds)}};
  return json.dump(2);
}

}  // namespace interpole
