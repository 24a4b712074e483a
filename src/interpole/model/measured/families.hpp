// The families of measured factors (interpole/structure.hpp): which parameters a factor has in one state,
// the coordinates in which they are learned, and its log-density with derivatives
// (docs/mathematics/measured-factors.md).
//
//   categorical        θ_1 … θ_K                         sum to one
//   ordinal            location, first cut, gaps         P(z ≤ k) = logistic(cut_k − location)
//   normal             mean, sd
//   lognormal          median, log sd
//   student            location, scale, df
//   poisson            mean
//   negative-binomial  mean, size                        variance mean + mean²/size
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/structure.hpp"

namespace interpole::model {

std::string name_of(Family family);  // as a study has it: "negative-binomial"
// Nothing if there is none of that name.
std::optional<Family> family_named(const std::string& name);
std::vector<std::string> family_names();

// A parameter: what it is called, and the unconstrained coordinate y it is learned in.
struct ParameterForm {
  enum class Kind {
    kProbability,  // one of a simplex
    kLinear,       // centre + scale·y
    kLog,          // centre·exp(scale·y)
  };
  std::string name;
  Kind kind = Kind::kLinear;
  double centre = 0.0;
  double scale = 1.0;
  bool common = false;   // to all states and actions: of the instrument, not of the patient
  bool locates = false;  // where values lie, rather than how they are spread

  double at(double y) const;
  double coordinate(double value) const;
  double slope(double value) const;  // d value/d y
};
// Of one state. Where the factor does not say its centre and scale: 0 (or 1) and 1.
std::vector<ParameterForm> forms_of(const MeasuredFactor& factor);
int parameter_count(const MeasuredFactor& factor);

// Where each factor's parameters begin among those of all, and how many there are.
std::vector<int> factor_offsets(std::span<const MeasuredFactor> factors);

// log p(value); probabilities may be 0, then −∞. `gradient` (if not null) is overwritten with the derivative
// by each parameter.
double log_density(const MeasuredFactor& factor, double value, const double* parameters, double* gradient);

// What is wrong with a value and what to do about it; empty: nothing.
std::string complaint_about(const MeasuredFactor& factor, double value);
// The value as it enters the table of outcomes: at a limit of detection if it lies beyond it.
double recorded(const MeasuredFactor& factor, double value);

// What is wrong with one state's parameters: "sd: -1 is not above 0"; empty: nothing. Probabilities that do
// not sum to one are divided by their sum if that is rounding.
std::string complaint_about_parameters(const MeasuredFactor& factor, std::span<double> parameters);

// What is wrong with the factor itself.
std::string complaint_about(const MeasuredFactor& factor);

}  // namespace interpole::model
