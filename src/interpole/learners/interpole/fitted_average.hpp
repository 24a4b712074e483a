// An ensemble asked at once: beliefs and policies are the means of theirs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpole/learners/interpole/fitted_model.hpp"

namespace interpole::learners {

class FittedAverage : public FittedLearner {
 public:
  // At least one model; all of one structure.
  FittedAverage(std::vector<Model> models, std::string fit_note, bool converged);

  // Throw an input error as FittedModel does.
  std::vector<double> policies(const HistoryTree& tree) const override;
  std::optional<std::vector<double>> beliefs(const HistoryTree& tree) const override;

  std::string to_json() const override;
  std::string fit_note() const override { return fit_note_; }
  bool converged() const override { return converged_; }

 private:
  std::vector<FittedModel> members_;
  std::string fit_note_;
  bool converged_;
};

// Takes back what to_json() gave. Throws an input error that names the place.
std::unique_ptr<FittedLearner> load_fitted_average(const std::string& json, const Structure& structure,
                                                   const std::string& where);

}  // namespace interpole::learners
