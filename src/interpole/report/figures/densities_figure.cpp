// What is measured in each state, factor by factor: curves of how often it has which value, in the
// decision-maker's picture and, where that is another, in the world.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/model/measured/families.hpp"
#include "interpole/model/measured/outcome_points.hpp"
#include "interpole/report/figures/figure.hpp"
#include "interpole/report/figures/figure_style.hpp"

namespace interpole::report {
namespace {

constexpr double kDensityWidth = 760, kDensityLeft = 200, kDensityRight = 730;
constexpr double kDensityHeight = 92;  // of a factor's curves
constexpr double kDensityBelow = 46;   // axis and air below them
constexpr int kDensitySamples = 200;
constexpr int kDensityTicks = 6;

// Where the values of one factor lie on paper.
struct DensityAxis {
  double low = 0.0, high = 1.0;
  bool logarithmic = false;

  double value_at(double share) const {
    return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
  }
  double x_of(double value) const {
    const double share =
        logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return kDensityLeft + std::clamp(share, 0.0, 1.0) * (kDensityRight - kDensityLeft);
  }
};

class DensitiesFigure {
 public:
  DensitiesFigure(const Model& model, int action)
      : structure_(model.structure), action_(action), offsets_(model::factor_offsets(structure_.factors)) {
    pictures_.push_back(&model.agent.dynamics);
    if (model.world) pictures_.push_back(&*model.world);
  }

  double draw(Drawing& drawing, double y) const {
    for (const int f : model::yielded_factors(structure_, action_)) {
      draw_factor(drawing, f, y);
      y += kDensityHeight + kDensityBelow;
    }
    return y;
  }

  bool differs(int f, int state) const {
    if (pictures_.size() < 2) return false;
    const double* x = parameters(*pictures_[0], f, state);
    return !std::equal(x, x + offsets_[f + 1] - offsets_[f], parameters(*pictures_[1], f, state));
  }

  std::string words() const {
    std::string text = "Inferred, not stated, beliefs.";
    for (const int f : model::yielded_factors(structure_, action_)) {
      for (int s = 0; s < structure_.state_count(); ++s) {
        text += fmt::format(" {} in {}: agent {}", structure_.factors[f].name, structure_.states[s],
                            numbers(*pictures_[0], f, s));
        if (differs(f, s)) text += fmt::format(", world {}", numbers(*pictures_[1], f, s));
        text += ".";
      }
    }
    return text;
  }

 private:
  const double* parameters(const Dynamics& of, int f, int state) const {
    return &of.observation[static_cast<std::size_t>(action_ * structure_.state_count() + state) *
                               offsets_.back() +
                           offsets_[f]];
  }

  std::string numbers(const Dynamics& of, int f, int state) const {
    std::string text;
    const auto forms = model::forms_of(structure_.factors[f]);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", forms[i].name,
                          base::short_number(parameters(of, f, state)[i]));
    }
    return text;
  }

  // Where all but a few values of any state lie.
  DensityAxis axis_of(int f) const {
    const MeasuredFactor& factor = structure_.factors[f];
    if (factor.has_levels()) return {-0.5, static_cast<double>(factor.levels.size()) - 0.5, false};
    double low = INFINITY;
    double high = -INFINITY;
    const double ends[] = {0.002, 0.998};
    const double second[] = {0.5, 0.5};
    for (const Dynamics* of : pictures_) {
      for (int s = 0; s < structure_.state_count(); ++s) {
        for (const double x : model::values_at(factor, parameters(*of, f, s), ends, second)) {
          low = std::min(low, x);
          high = std::max(high, x);
        }
      }
    }
    if (factor.family == Family::kStudent) {  // those points lie on one side
      for (const Dynamics* of : pictures_) {
        for (int s = 0; s < structure_.state_count(); ++s) {
          const double* p = parameters(*of, f, s);
          low = std::min(low, p[0] - 4.0 * p[1]);
          high = std::max(high, p[0] + 4.0 * p[1]);
        }
      }
    }
    if (!(high > low)) high = low + 1.0;
    return {low, high, factor.family == Family::kLogNormal};
  }

  std::vector<Point> curve_of(const Dynamics& of, int f, int state, const DensityAxis& axis) const {
    const MeasuredFactor& factor = structure_.factors[f];
    const bool counts = factor.family == Family::kPoisson || factor.family == Family::kNegativeBinomial;
    std::vector<Point> curve;
    for (int i = 0; i <= kDensitySamples; ++i) {
      double value = axis.value_at(static_cast<double>(i) / kDensitySamples);
      if (counts || factor.has_levels()) value = std::round(value);
      if (factor.has_levels())
        value = std::clamp(value, 0.0, static_cast<double>(factor.levels.size()) - 1.0);
      // A limit of detection stands for all beyond it: the curve stays inside.
      if (value <= factor.lower || value >= factor.upper) continue;
      const double density = std::exp(model::log_density(factor, value, parameters(of, f, state), nullptr));
      const double x = axis.value_at(static_cast<double>(i) / kDensitySamples);
      curve.push_back({axis.x_of(x), axis.logarithmic ? density * value : density});
    }
    return curve;
  }

  void draw_factor(Drawing& drawing, int f, double top) const {
    const MeasuredFactor& factor = structure_.factors[f];
    const DensityAxis axis = axis_of(f);
    const double bottom = top + kDensityHeight;
    const std::string name = factor.unit.empty() ? factor.name : factor.name + ", " + factor.unit;
    draw_lines(drawing, {{kMargin, top + 0.5 * kDensityHeight}, "", kNormal},
               broken_lines(name, kDensityLeft - kMargin - 24, kNormal, 3));
    double highest = 0.0;
    std::vector<std::pair<std::vector<Point>, Pen>> curves;
    for (int s = 0; s < structure_.state_count(); ++s) {
      for (std::size_t of = 0; of < pictures_.size(); ++of) {
        if (of == 1 && !differs(f, s)) continue;
        curves.emplace_back(
            curve_of(*pictures_[of], f, s, axis),
            Pen{palette_colour(s), 2.0, of == 1 ? std::vector<double>{6, 3} : std::vector<double>{}});
        for (const Point& point : curves.back().first) highest = std::max(highest, point.y);
      }
    }
    for (auto& [curve, pen] : curves) {
      for (Point& point : curve)
        point.y = bottom - (highest > 0.0 ? point.y / highest : 0.0) * (kDensityHeight - 8);
      drawing.polyline(std::move(curve), pen);
    }
    drawing.line({kDensityLeft, bottom}, {kDensityRight, bottom}, {kInk, 0.9, {}});
    const int ticks = factor.has_levels() ? static_cast<int>(factor.levels.size()) : kDensityTicks;
    for (int i = 0; i < ticks; ++i) {
      const double share = factor.has_levels() ? (i + 0.5) / ticks : static_cast<double>(i) / (ticks - 1);
      const double value = axis.value_at(share);
      const double x = axis.x_of(value);
      drawing.line({x, bottom}, {x, bottom + 5}, {kInk, 0.9, {}});
      drawing.text({{x, bottom + 17},
                    factor.has_levels() ? factor.levels[i] : fmt::format("{:.3g}", value),
                    kSmallText,
                    i == 0 && !factor.has_levels()           ? Anchor::kStart
                    : i + 1 == ticks && !factor.has_levels() ? Anchor::kEnd
                                                             : Anchor::kMiddle},
                   kSoft);
    }
  }

  const Structure& structure_;
  int action_;
  std::vector<int> offsets_;
  std::vector<const Dynamics*> pictures_;
};

}  // namespace

Drawing densities_figure(const Model& model) {
  const Structure& structure = model.structure;
  int action = 0;  // the one that measures most
  for (int a = 1; a < structure.action_count(); ++a) {
    if (model::yielded_factors(structure, a).size() > model::yielded_factors(structure, action).size())
      action = a;
  }
  const DensitiesFigure figure(model, action);
  Drawing drawing(kDensityWidth, "What is measured in each state", figure.words());
  double y = draw_title(drawing, "What is measured in each state?");
  std::vector<LegendEntry> entries;
  entries.reserve(structure.state_count());
  for (int s = 0; s < structure.state_count(); ++s) {
    entries.push_back({[s](Drawing& d, Point at) {
                         d.line({at.x - 13, at.y}, {at.x + 13, at.y}, {palette_colour(s), 2.2, {}});
                       },
                       structure.states[s]});
  }
  y = draw_legend_rows(drawing, {kMargin, y}, kDensityWidth - 2 * kMargin, entries);
  y = figure.draw(drawing, y + 14);
  finish_with_caption(
      drawing, y,
      fmt::format(
          "After \"{}\". Solid: as the decision-maker acts{}. Lognormal factors have a logarithmic axis.",
          structure.actions[action],
          model.world ? "; dashed: as the records show, where that is another" : ""));
  return drawing;
}

}  // namespace interpole::report
