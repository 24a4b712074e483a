#include "interpole/evaluate/floors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace interpole::evaluate {
namespace {

struct Floor {
  const char* learner;
  const char* meaning;
};
constexpr std::array kFloors = {
    Floor{"majority", "who knows how often each action is taken knows nearly all that anybody here knows"},
    Floor{"previous-action", "who knows the last action knows nearly all"},
    Floor{"bc", "who knows the last action and its result knows nearly all"},
    Floor{"logistic", "who counts what was done and seen knows nearly all"}};

}  // namespace

std::vector<std::string> floor_sentences(const CrossValidation& result) {
  const LearnerScores* best = nullptr;
  for (const LearnerScores& row : result.learners) {
    if (row.auroc.mean && (best == nullptr || *row.auroc.mean > *best->auroc.mean)) best = &row;
  }
  std::vector<std::string> sentences;
  if (best == nullptr || result.learners.size() < 2) return sentences;
  for (const Floor& floor : kFloors) {
    const auto row = std::ranges::find(result.learners, floor.learner, &LearnerScores::learner);
    if (row == result.learners.end() || !row->auroc.mean) continue;
    if (*best->auroc.mean - *row->auroc.mean > kNearlyAsGood) continue;
    sentences.push_back(
        &*row == best
            ? fmt::format("{}: {} has the best AUROC, {:.3f}", floor.meaning, row->learner, *row->auroc.mean)
            : fmt::format("{}: {} has an AUROC of {:.3f}, the best ({}) {:.3f}", floor.meaning, row->learner,
                          *row->auroc.mean, best->learner, *best->auroc.mean));
  }
  return sentences;
}

}  // namespace interpole::evaluate
