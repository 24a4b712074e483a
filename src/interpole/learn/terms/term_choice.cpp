#include "interpole/learn/terms/term_choice.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "interpole/base/dealing/steps.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/learn/posterior/log_posterior.hpp"
#include "interpole/learn/terms/term_screen.hpp"
#include "interpole/optimize/symmetric.hpp"

namespace interpole::learn {
namespace {

using Use = PolicyRequest::Use;

constexpr double kFirstScaleOfTerm = 1.0;
constexpr double kLeastFirstScaleOfTerm = 0.1;
constexpr double kOtherScale = 1.25;  // a τ that is off by more than this is worth another expansion
constexpr int kMostRescalings = 3;
// Terms that are foreseen to gain less than this are not looked at.
constexpr double kLeastPromise = 0.5 * kPriceOfTerm;
// Additive terms looked at side by side; their order is foreseen well enough for more to be a waste.
constexpr int kSideBySide = 2;
// Terms whose weights are so far from zero that nobody need try without them: log of the odds.
constexpr double kBeyondDoubt = 5.0 * kPriceOfTerm;

// Looks at a term: with it, and with the scale that the look before it asked for.
constexpr int kLooksAtTerm = 2;

// A set of terms with its mode and evidence.
struct Trial {
  DecisionProblem problem;
  Parameters at;
  Laplace expansion{};
  double scale = 0.0;  // of the term that was added

  double log_evidence() const { return expansion.log_evidence; }
};

// The data's say on the weights of one term, around zero.
struct DataOnWeights {
  Eigen::MatrixXd precision;  // of weights and prior together
  Eigen::VectorXd centre;
};

class Chooser {
 public:
  Chooser(const inference::Likelihood& likelihood, const DecisionProblem& problem, const TermSearch& search)
      : likelihood_(likelihood), search_(search) {
    for (TermCandidate& candidate : term_candidates(likelihood.tree(), problem)) {
      weighed_.push_back({std::move(candidate), false, 0.0, 0.0});
    }
    steps_.emplace(*search.sink, "terms beside belief",
                   1 + kLooksAtTerm * static_cast<std::int64_t>(weighed_.size()));
  }

  TermChoice run(const DecisionProblem& problem, const Parameters& start) {
    Trial best{problem, start};
    expand(best);
    take_asked_for(best);
    if (search_.use == PolicyUse::kAuto) {
      while (add_one(best)) {
      }
      while (drop_one(best)) {
      }
    }
    steps_->finish();
    const double log_evidence = best.log_evidence();
    return {std::move(weighed_), std::move(best.problem), std::move(best.at),
            log_evidence,        evaluations_.load(),     {}};
  }

 private:
  // The trial's mode moves to where it is, from where it was.
  void expand(Trial& trial) {
    LogPosterior posterior(likelihood_, trial.problem, StudySpace(trial.problem, search_.dynamics),
                           search_.dynamics, Measure::kCoordinates);
    std::vector<double> y(posterior.size());
    posterior.coordinates({trial.at, {}}, y);
    trial.expansion = laplace(posterior, y, search_.lbfgs);
    trial.at = posterior.agent_world(trial.expansion.centre).agent;
    ++evaluations_;
    steps_->step();
  }

  // Of a term that the problem has; nothing if it has no weights to learn.
  std::optional<DataOnWeights> weights_of(const Trial& trial, const TermCandidate& candidate) const {
    const auto [begin, size] = columns_of_term(candidate, trial.problem, search_.dynamics);
    if (size == 0) return std::nullopt;
    Eigen::MatrixXd covariance(size, size);
    DataOnWeights data{{}, Eigen::VectorXd(size)};
    for (int i = 0; i < size; ++i) {
      data.centre[i] = trial.expansion.centre[begin + i];
      for (int j = 0; j < size; ++j) covariance(i, j) = trial.expansion.variance(begin + i, begin + j);
    }
    const auto solver = optimize::symmetric_eigen(covariance);
    data.precision = solver.vectors * solver.values.cwiseMax(1e-12).cwiseInverse().asDiagonal() *
                     solver.vectors.transpose();
    return data;
  }

  // τ of the highest evidence, given the expansion with the present one.
  double rescaled(const Trial& trial, const TermCandidate& candidate) const {
    const double scale = scale_of_term(candidate, trial.problem);
    auto data = weights_of(trial, candidate);
    if (!data) return scale;
    const Eigen::VectorXd score = data->precision * data->centre;
    data->precision.diagonal().array() -= 1.0 / (scale * scale);
    return best_scale(data->precision, score).tau;
  }

  // log evidence with a term over without it, from the density of its weights at zero.
  double log_ratio_at_zero(const Trial& trial, const TermCandidate& candidate) const {
    const auto data = weights_of(trial, candidate);
    if (!data) return 0.0;
    const auto solver = optimize::symmetric_eigen(data->precision);
    const double scale = scale_of_term(candidate, trial.problem);
    return 0.5 * data->centre.dot(data->precision * data->centre) -
           0.5 * solver.values.cwiseMax(1e-300).array().log().sum() -
           static_cast<double>(data->centre.size()) * std::log(scale);
  }

  // All that the study or the user wants, whatever the evidence. One after the other: from the mode of belief
  // alone, a search with all of them at once may end at a mode that is not theirs.
  void take_asked_for(Trial& best) {
    const double log_evidence_before = best.log_evidence();
    std::vector<WeighedTerm*> asked;
    for (WeighedTerm& term : weighed_) {
      if ((search_.use != PolicyUse::kFull && term.candidate.use != Use::kAlways) || stopped()) continue;
      asked.push_back(&term);
      add_term(term.candidate, kFirstScaleOfTerm, best.problem);
      best.at = with_terms_of(best.problem, best.at);
      expand(best);
      if (!term.candidate.has_weights()) continue;
      scale_of_term(term.candidate, best.problem) = rescaled(best, term.candidate);
    }
    if (asked.empty()) return;
    expand(best);
    for (WeighedTerm* term : asked) {
      const bool has_weights = term->candidate.has_weights();
      term->taken = true;
      if (has_weights) term->scale = scale_of_term(term->candidate, best.problem);
      // Of shares, which have no density at zero to speak of, the gain of all together.
      term->log_ratio =
          has_weights ? log_ratio_at_zero(best, term->candidate) : best.log_evidence() - log_evidence_before;
    }
  }

  // With one term more, its scale chosen: from the one foreseen, which is of little use where the data say
  // more than a second-order expansion can, to the one that the expansion with it asks for, until they agree.
  Trial with(const TermCandidate& candidate, const TermScale& foreseen, const Trial& base) {
    Trial trial{base.problem, base.at};
    double scale = std::clamp(foreseen.tau, kLeastFirstScaleOfTerm, kFirstScaleOfTerm);
    add_term(candidate, scale, trial.problem);
    trial.at = with_terms_of(trial.problem, trial.at);
    expand(trial);
    if (!candidate.has_weights()) return trial;
    trial.scale = scale;
    for (int i = 0; i < kMostRescalings; ++i) {
      const double other = rescaled(trial, candidate);
      if (std::max(other / trial.scale, trial.scale / other) <= kOtherScale) break;
      Trial next = trial;
      scale_of_term(candidate, next.problem) = next.scale = other;
      expand(next);
      if (!(next.log_evidence() > trial.log_evidence())) break;
      trial = std::move(next);
    }
    return trial;
  }

  bool stopped() const { return search_.sink->stop_requested(); }

  // Adds the term that gains most, if that is more than its price.
  bool add_one(Trial& best) {
    std::vector<WeighedTerm*> open;
    std::vector<TermCandidate> candidates;
    for (WeighedTerm& term : weighed_) {
      if (term.taken) continue;
      open.push_back(&term);
      candidates.push_back(term.candidate);
    }
    if (open.empty() || stopped()) return false;
    const auto foreseen = screen_terms(likelihood_, best.problem, search_.dynamics, best.at, candidates);
    for (std::size_t i = 0; i < open.size(); ++i) open[i]->log_ratio = foreseen[i].log_ratio;
    for (const std::vector<int>& some : worth_a_look(candidates, foreseen)) {
      std::vector<Trial> trials(some.size());
      base::parallel_tasks(static_cast<int>(some.size()), search_.threads, [&](int i) {
        if (!stopped()) trials[i] = with(open[some[i]]->candidate, foreseen[some[i]], best);
      });
      if (stopped()) return false;
      for (std::size_t i = 0; i < some.size(); ++i) {
        open[some[i]]->log_ratio = trials[i].log_evidence() - best.log_evidence();
      }
      const auto highest = std::max_element(trials.begin(), trials.end(), [](const Trial& x, const Trial& y) {
        return x.log_evidence() < y.log_evidence();
      });
      WeighedTerm& term = *open[some[highest - trials.begin()]];
      if (!(term.log_ratio > kPriceOfTerm)) continue;
      term.taken = true;
      term.scale = highest->scale;
      best = std::move(*highest);
      return true;
    }
    return false;
  }

  // The candidates to look at together, the most promising first. Shares have forms of their own, which a
  // second-order expansion foresees badly: all that promise something come in the first round.
  static std::vector<std::vector<int>> worth_a_look(const std::vector<TermCandidate>& candidates,
                                                    const std::vector<TermScale>& foreseen) {
    std::vector<int> additive;
    std::vector<int> first;
    for (int i = 0; i < static_cast<int>(candidates.size()); ++i) {
      if (!candidates[i].has_weights() && foreseen[i].log_ratio > 0.0) first.push_back(i);
      if (candidates[i].has_weights() && foreseen[i].log_ratio > kLeastPromise) {
        additive.push_back(i);
      }
    }
    std::stable_sort(additive.begin(), additive.end(),
                     [&](int x, int y) { return foreseen[x].log_ratio > foreseen[y].log_ratio; });
    std::vector<std::vector<int>> rounds;
    for (std::size_t i = 0; i < additive.size(); ++i) {
      if (i % kSideBySide == 0) rounds.emplace_back();
      rounds.back().push_back(additive[i]);
    }
    if (first.empty()) return rounds;
    if (rounds.empty()) rounds.emplace_back();
    rounds.front().insert(rounds.front().end(), first.begin(), first.end());
    return rounds;
  }

  // Takes away a term that the others have made not worth its price.
  bool drop_one(Trial& best) {
    if (std::count_if(weighed_.begin(), weighed_.end(), [](const auto& term) { return term.taken; }) < 2) {
      return false;
    }
    for (WeighedTerm& term : weighed_) {
      if (!term.taken || term.candidate.use == Use::kAlways || stopped()) continue;
      if (term.candidate.has_weights()) {
        term.log_ratio = log_ratio_at_zero(best, term.candidate);
        if (term.log_ratio > kBeyondDoubt) continue;
      }
      Trial trial{best.problem, best.at};
      remove_term(term.candidate, trial.problem);
      trial.at = with_terms_of(trial.problem, trial.at);
      expand(trial);
      term.log_ratio = best.log_evidence() - trial.log_evidence();
      if (term.log_ratio > kPriceOfTerm) continue;
      term.taken = false;
      best = std::move(trial);
      return true;
    }
    return false;
  }

  const inference::Likelihood& likelihood_;
  const TermSearch& search_;
  std::vector<WeighedTerm> weighed_;
  std::atomic<int> evaluations_ = 0;
  std::optional<base::Steps> steps_;
};

}  // namespace

int TermChoice::taken() const {
  return static_cast<int>(
      std::count_if(weighed.begin(), weighed.end(), [](const auto& term) { return term.taken; }));
}

TermChoice choose_terms(const inference::Likelihood& likelihood, const DecisionProblem& problem,
                        const Parameters& start, const TermSearch& search) {
  return Chooser(likelihood, problem, search).run(problem, start);
}

}  // namespace interpole::learn
