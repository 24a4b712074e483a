// What every learner of policies offers, ours and its rivals: fit to a history tree, say how likely each
// action is at every history, say what is believed there (if it believes anything), be saved and loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/learn/fit/fit.hpp"
#include "interpole/parameters.hpp"
#include "interpole/problem.hpp"
#include "interpole/sink.hpp"

namespace interpole::learners {

// What a learner's prediction rests on at every node of a tree: named numbers, [node·names + k].
struct VisitColumns {
  std::vector<std::string> names;
  std::vector<double> values;
};

// A learner after fitting. Immutable; any number of threads may ask.
class FittedLearner {
 public:
  virtual ~FittedLearner() = default;

  // π(a | history) for every node of a tree of the same structure, [node·A + a]. The tree need not be the one
  // it was fitted to.
  virtual std::vector<double> policies(const HistoryTree& tree) const = 0;

  // What is believed at every node, [node·S + s]. Nothing if the learner has no beliefs.
  virtual std::optional<std::vector<double>> beliefs(const HistoryTree& /*tree*/) const { return {}; }

  // Covariates of a record that its predictions follow, in the order in which a tree must have them. Nothing
  // unless it says so; of a learner that is a model, the model says it.
  virtual std::vector<PolicyCovariate> covariates() const { return {}; }

  // The model file's content if the learner is a mean-vector policy on beliefs; such learners are saved as
  // model files and every verb reads them.
  virtual const Model* model() const { return nullptr; }

  // What there is to save, as a JSON object; load() takes it back. Unused where model() is not null.
  virtual std::string to_json() const { return "{}"; }

  // What was learned, for people, over several lines; empty if it cannot be read.
  virtual std::string words() const { return ""; }
  // … and visit by visit; no names if there is nothing to show.
  virtual VisitColumns visit_columns(const HistoryTree& /*tree*/) const { return {}; }

  // How the fit went, for people: "converged after 31 iterations".
  virtual std::string fit_note() const = 0;
  virtual bool converged() const = 0;
  // What a table says of a fit that did not converge, in a few words; empty if it did.
  virtual std::string doubt() const { return converged() ? "" : "did not converge"; }
  // The user stopped the fit, and this is the best so far: worth keeping, not worth comparing.
  virtual bool interrupted() const { return false; }
};

// One option of a learner: described once, for the command line, --help and the documentation.
struct LearnerOption {
  std::string name;    // as in --learner-option name=value
  double value = 0.0;  // unless set
  std::string help;
  double lowest = 0.0;
  double highest = 1e15;
  bool whole = false;  // a count
};

struct LearnerOptions {
  std::uint64_t seed = 1;
  int threads = 0;
  std::vector<std::pair<std::string, double>> set;  // options by name; the rest keep their defaults
};

// One row of the registry (registry.hpp).
class Learner {
 public:
  virtual ~Learner() = default;
  virtual std::string name() const = 0;         // "po-mb-il"
  virtual std::string description() const = 0;  // one line
  virtual std::vector<LearnerOption> options() const { return {}; }
  // Of a learner that searches a posterior: writes what it is, and those of its options that are set, to a
  // fit, which can then be asked for more than a policy. False, and nothing written, of any other. Usage
  // error as of fit().
  virtual bool configure_search(const LearnerOptions& /*options*/, learn::FitOptions& /*fit*/) const {
    return false;
  }
  // Throws a usage error for an unknown option (learner_options.hpp), an input error for data it cannot learn
  // from. Asked to stop: Error(kInterrupted), unless there is something worth keeping, whose interrupted() is
  // then true. The result does not depend on options.threads.
  virtual std::unique_ptr<FittedLearner> fit(const HistoryTree& tree, const DecisionProblem& problem,
                                             const LearnerOptions& options, Sink& sink) const = 0;
  // Takes back what to_json() gave, or, of a learner that is a model, the text of a model file. `where` is
  // the file; an input error names the place in it ("FILE: content.counts[3]").
  virtual std::unique_ptr<FittedLearner> load(const std::string& json, const Structure& structure,
                                              const std::string& where) const = 0;
};

// What most rows share: a name, a line about it, and a function that loads.
class NamedLearner : public Learner {
 public:
  using Loader = std::unique_ptr<FittedLearner> (*)(const std::string& json, const Structure& structure,
                                                    const std::string& where);
  NamedLearner(std::string name, std::string description, Loader loader)
      : name_(std::move(name)), description_(std::move(description)), loader_(loader) {}

  std::string name() const override { return name_; }
  std::string description() const override { return description_; }
  std::unique_ptr<FittedLearner> load(const std::string& json, const Structure& structure,
                                      const std::string& where) const override {
    return loader_(json, structure, where);
  }

 private:
  std::string name_;
  std::string description_;
  Loader loader_;
};

}  // namespace interpole::learners
