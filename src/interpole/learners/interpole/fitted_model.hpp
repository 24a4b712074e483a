// A learner whose result is a model: beliefs, and a mean-vector policy on them.
#pragma once

#include <string>

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

class FittedModel : public FittedLearner {
 public:
  FittedModel(Model model, std::string fit_note, bool converged);

  // Both throw an input error naming step, action and outcome if the tree holds an outcome that the model
  // calls impossible.
  std::vector<double> policies(const HistoryTree& tree) const override;
  std::optional<std::vector<double>> beliefs(const HistoryTree& tree) const override;

  const Model* model() const override { return &model_; }
  std::string fit_note() const override { return fit_note_; }
  bool converged() const override { return converged_; }

 private:
  Model model_;
  std::string fit_note_;
  bool converged_;
};

// From the text of a model file. Throws an input error if its structure is not this one.
std::unique_ptr<FittedLearner> load_fitted_model(const std::string& text, const Structure& structure,
                                                 const std::string& where);

}  // namespace interpole::learners
