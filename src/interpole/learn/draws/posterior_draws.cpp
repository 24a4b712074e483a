#include "interpole/learn/draws/posterior_draws.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "interpole/error.hpp"
#include "interpole/learn/draws/draws_file.hpp"
#include "interpole/learn/uncertainty/uncertainty_file.hpp"

namespace interpole::learn {

PosteriorDraws posterior_draws(const std::string& model_file, const Structure& structure,
                               const std::string& draws_file, std::uint64_t seed) {
  if (!draws_file.empty()) {
    PosteriorDraws result{read_draws(draws_file, structure), {}};
    result.source = fmt::format("{} posterior draws from {}", result.draws.size(),
                                std::filesystem::path(draws_file).filename().string());
    return result;
  }
  const auto stored = read_uncertainty(model_file, structure);
  if (!stored) {
    throw input_error(fmt::format(
        "{}: the model does not say how sure it is; fit it again, or give posterior draws by option draws",
        model_file));
  }
  return {draw_agent_worlds(stored->problem, stored->uncertainty, kDefaultDraws, seed),
          "the normal approximation made by fit (for full posterior draws: sample, then option draws)"};
}

}  // namespace interpole::learn
