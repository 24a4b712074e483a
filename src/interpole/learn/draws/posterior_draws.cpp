#include "interpole/learn/draws/posterior_draws.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "interpole/error.hpp"
#include "interpole/learn/draws/draws_file.hpp"

namespace interpole::learn {

PosteriorDraws posterior_draws(const FitResult& fit, const std::string& draws_file, std::uint64_t seed) {
  if (!draws_file.empty()) {
    PosteriorDraws result{
        read_draws(draws_file, fit.model.structure, fit.model.agent.policy, fit.model.agent.dynamics.start),
        {}};
    result.source = fmt::format("{} posterior draws from {}", result.draws.size(),
                                std::filesystem::path(draws_file).filename().string());
    return result;
  }
  if (!fit.has_uncertainty()) {
    throw input_error(fmt::format(
        "{}: the model does not say how sure it is; fit it again, or give posterior draws by option draws",
        fit.provenance.file));
  }
  return {fit.draws(kUsualDraws, seed),
          "the normal approximation made by fit (for full posterior draws: sample, then option draws)"};
}

PosteriorDraws posterior_draws_if_any(const FitResult& fit, const std::string& draws_file,
                                      std::uint64_t seed) {
  if (draws_file.empty() && !fit.has_uncertainty()) return {};
  return posterior_draws(fit, draws_file, seed);
}

}  // namespace interpole::learn
