#include "interpole/learn/draws/chain_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "interpole/base/files/exact_text.hpp"
#include "interpole/error.hpp"
#include "interpole/optimize/all_finite.hpp"
#include "interpole/sampling/nuts/nuts_state_io.hpp"

namespace interpole::learn {
namespace {

using Clock = std::chrono::steady_clock;

std::string_view state_part(const std::string& text, const std::string& place) {
  const std::size_t at = text.find("\ndraws ");
  if (at == std::string::npos) throw input_error(fmt::format("{}: the draws are missing", place));
  return std::string_view(text).substr(0, at + 1);
}

sampling::NutsDraw read_draw(base::ExactReader& in) {
  sampling::NutsDraw draw;
  draw.iteration = in.line("draw").integer();
  draw.tree_depth = static_cast<int>(in.integer());
  draw.leapfrogs = static_cast<int>(in.integer());
  draw.divergent = in.integer() != 0;
  draw.log_density = in.number();
  draw.accept_stat = in.number();
  draw.step_size = in.number();
  draw.energy = in.number();
  draw.energy_error = in.number();
  draw.position = in.numbers();
  return draw;
}

void write_draw(base::ExactWriter& out, const sampling::NutsDraw& draw) {
  out.line("draw").add(draw.iteration).add(std::int64_t{draw.tree_depth}).add(std::int64_t{draw.leapfrogs});
  out.add(std::int64_t{draw.divergent}).add(draw.log_density).add(draw.accept_stat).add(draw.step_size);
  out.add(draw.energy).add(draw.energy_error).add(draw.position);
}

// The chain that was asked for, not just any that fits the target.
void require_asked_for(const sampling::NutsState& state, const sampling::NutsOptions& options,
                       std::uint64_t seed, int index, const std::string& place) {
  const sampling::NutsOptions& found = state.options;
  if (state.seed == seed && state.chain == static_cast<std::uint64_t>(index) &&
      found.warm_up == options.warm_up && found.metric == options.metric &&
      found.target_accept == options.target_accept && found.most_depth == options.most_depth &&
      found.most_energy_error == options.most_energy_error && found.first_stretch == options.first_stretch &&
      found.first_window == options.first_window && found.last_stretch == options.last_stretch &&
      found.step_size == options.step_size) {
    return;
  }
  throw input_error(
      fmt::format("{}: the saved chain is another than the one asked for; delete the checkpoint", place));
}

// What is written for a draw must be numbers; only an energy may be lost where a path diverged.
void require_numbers(const sampling::NutsDraw& draw, const Posterior& posterior, const std::string& place) {
  if (draw.position.size() != static_cast<std::size_t>(posterior.size())) {
    throw input_error(fmt::format("{}: a draw of {} coordinates where {} belong", place, draw.position.size(),
                                  posterior.size()));
  }
  const bool finite = optimize::all_finite(draw.position) && std::isfinite(draw.log_density) &&
                      std::isfinite(draw.accept_stat) && std::isfinite(draw.step_size) &&
                      std::isfinite(posterior.agent_world(draw.position).agent.policy.inverse_temperature);
  if (!finite || draw.tree_depth < 0 || draw.leapfrogs < 0) {
    throw input_error(
        fmt::format("{}: draw {} has a number that cannot be; delete the checkpoint", place, draw.iteration));
  }
}

}  // namespace

ChainRun::ChainRun(std::unique_ptr<Posterior> posterior, std::span<const double> start,
                   const sampling::NutsOptions& options, int draws, std::uint64_t seed, int index)
    : posterior_(std::move(posterior)),
      chain_(*posterior_, start, options, seed, static_cast<std::uint64_t>(index)),
      wanted_(draws) {}

ChainRun::ChainRun(std::unique_ptr<Posterior> posterior, const std::string& text,
                   const sampling::NutsOptions& options, int draws, std::uint64_t seed, int index,
                   const std::string& place)
    : posterior_(std::move(posterior)),
      chain_(*posterior_, sampling::nuts_state_from_text(state_part(text, place), place)),
      wanted_(draws) {
  require_asked_for(chain_.state(), options, seed, index, place);
  base::ExactReader in(std::string_view(text).substr(state_part(text, place).size()), place);
  const std::int64_t count = in.line("draws").integer();
  const std::int64_t expected =
      std::max<std::int64_t>(0, chain_.iteration() - chain_.state().options.warm_up);
  if (count != expected || count > wanted_) {
    throw input_error(fmt::format("{}: {} draws where {} belong", place, count, expected));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    kept_.push_back(read_draw(in));
    require_numbers(kept_.back(), *posterior_, place);
  }
  in.expect_end();
}

void ChainRun::advance(double seconds, const std::function<bool()>& stop) {
  auto since = Clock::now();
  const auto end =
      since + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  while (!done() && !stop()) {
    const sampling::NutsDraw& draw = chain_.next();
    if (!draw.warm_up) kept_.push_back(draw);
    const auto now = Clock::now();
    (draw.warm_up ? warm_up_seconds_ : sampling_seconds_) +=
        std::chrono::duration<double>(now - since).count();
    since = now;
    if (now >= end) break;
  }
}

std::string ChainRun::text() const {
  base::ExactWriter out;
  out.line("draws").add(static_cast<std::int64_t>(kept_.size()));
  for (const sampling::NutsDraw& draw : kept_) write_draw(out, draw);
  return nuts_state_to_text(chain_.state()) + out.take();
}

}  // namespace interpole::learn
