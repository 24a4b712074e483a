#include "interpole/model/measured/draw_outcome.hpp"

#include <cmath>

#include "interpole/model/measured/families.hpp"

namespace interpole::model {
namespace {

double draw_beyond_limits(const MeasuredFactor& factor, const double* p, base::RandomStream& random) {
  switch (factor.family) {
    case Family::kCategorical:
      return random.categorical({p, factor.levels.size()});
    case Family::kOrdinal: {
      std::vector<double> chances;
      for (std::size_t k = 0; k < factor.levels.size(); ++k)
        chances.push_back(std::exp(log_density(factor, static_cast<double>(k), p, nullptr)));
      return random.categorical(chances);
    }
    case Family::kNormal:
      return p[0] + p[1] * random.normal();
    case Family::kLogNormal:
      return p[0] * std::exp(p[1] * random.normal());
    case Family::kStudent: {
      const double normal = random.normal();
      return p[0] + p[1] * normal / std::sqrt(2.0 * random.gamma(0.5 * p[2]) / p[2]);
    }
    case Family::kPoisson:
      return static_cast<double>(random.poisson(p[0]));
    case Family::kNegativeBinomial:
      return static_cast<double>(random.poisson(p[0] * random.gamma(p[1]) / p[1]));
  }
  return NAN;
}

}  // namespace

double draw_value(const MeasuredFactor& factor, const double* parameters, base::RandomStream& random) {
  return recorded(factor, draw_beyond_limits(factor, parameters, random));
}

std::vector<double> draw_outcome(const Structure& structure, const Dynamics& dynamics, int action, int state,
                                 base::RandomStream& random) {
  const auto offsets = factor_offsets(structure.factors);
  const std::size_t row = static_cast<std::size_t>(action) * structure.states.size() + state;
  std::vector<double> values(structure.factors.size(), NAN);
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (!structure.factors[f].yielded(action)) continue;
    values[f] =
        draw_value(structure.factors[f], &dynamics.observation[row * offsets.back() + offsets[f]], random);
  }
  return values;
}

}  // namespace interpole::model
