#include "interpole/learn/draws/posterior_draws.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "interpole/error.hpp"
#include "interpole/learn/draws/draws_file.hpp"
#include "interpole/learn/result/draw_digits.hpp"

namespace interpole::learn {

PosteriorDraws posterior_draws(const FitResult& fit, const std::string& draws_file, std::uint64_t seed) {
  PosteriorDraws result;
  if (!draws_file.empty()) {
    result.draws =
        read_draws(draws_file, fit.model.structure, fit.model.agent.policy, fit.model.agent.dynamics.start);
    result.source = fmt::format("{} posterior draws from {}", result.draws.size(),
                                std::filesystem::path(draws_file).filename().string());
  } else if (fit.has_uncertainty()) {
    result.draws = fit.draws(kUsualDraws, seed);
    result.source =
        "the normal approximation made by fit (for full posterior draws: sample, then option draws)";
  } else {
    throw input_error(fmt::format(
        "{}: the model does not say how sure it is; fit it again, or give posterior draws by option draws",
        fit.provenance.file));
  }
  keep_known_digits(result.draws);
  return result;
}

PosteriorDraws posterior_draws_if_any(const FitResult& fit, const std::string& draws_file,
                                      std::uint64_t seed) {
  if (draws_file.empty() && !fit.has_uncertainty()) return {};
  return posterior_draws(fit, draws_file, seed);
}

}  // namespace interpole::learn
