// Policies whose logits are linear: in the last action, the levels of the last outcome, how often each level
// was seen, and covariates.
#pragma once

#include <vector>

#include "interpole/base/random.hpp"
#include "interpole/environments/agents/decision_maker.hpp"

namespace interpole::environments {

inline constexpr int kSigns = 2;   // in an outcome …
inline constexpr int kLevels = 3;  // … of so many levels: outcome = first · kLevels + second

class LinearPolicy : public HistoryPolicy {
 public:
  // Normal weights; `scale` is how far logits typically are apart.
  LinearPolicy(int actions, double scale, base::RandomStream& random);
  void chances(std::span<const Step> history, std::span<const double> covariates,
               std::span<double> chances) const override;

 private:
  int actions_;
  std::vector<double> start_;        // [a]
  std::vector<double> last_action_;  // [last·A + a]
  std::vector<double> last_level_;   // [(sign·levels + level)·A + a]
  std::vector<double> count_;        // [(sign·levels + level)·A + a], of counts' logarithm
  std::vector<double> covariate_;    // [c·A + a]
};

// A record's decisions are all taken by one of two.
class TwoClinicians : public HistoryPolicy {
 public:
  TwoClinicians(LinearPolicy first, LinearPolicy second, double share_of_first)
      : first_(std::move(first)), second_(std::move(second)), share_(share_of_first) {}
  // Averaged over who it is, given the decisions so far.
  void chances(std::span<const Step> history, std::span<const double> covariates,
               std::span<double> chances) const override;

 private:
  LinearPolicy first_, second_;
  double share_;
};

// h' = tanh(U h + V_action + W_outcome), logits C h.
class SmallNetwork : public HistoryPolicy {
 public:
  SmallNetwork(int actions, int outcomes, double scale, base::RandomStream& random);
  void chances(std::span<const Step> history, std::span<const double> covariates,
               std::span<double> chances) const override;

 private:
  int actions_;
  std::vector<double> recurrent_, of_action_, of_outcome_, start_, output_;
};

// Logits to probabilities, in place.
void softmax_in_place(std::span<double> logits);

}  // namespace interpole::environments
