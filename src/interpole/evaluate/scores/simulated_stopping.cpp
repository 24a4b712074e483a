#include "interpole/evaluate/scores/simulated_stopping.hpp"

#include <algorithm>

#include "interpole/base/random.hpp"
#include "interpole/environment.hpp"

namespace interpole::evaluate {
namespace {

constexpr int kFirstLookAhead = 16;

struct Watched {
  std::size_t index = 0;
  base::RandomStream patient, actions;
  int state = 0;
  std::vector<Step> history;
};

class LearnerWatch {
 public:
  LearnerWatch(const Model& truth, const learners::FittedLearner& learner, int longest)
      : structure_(truth.structure), world_(world_of(truth)), learner_(learner), longest_(longest) {
    for (int a = 0; a < structure_.action_count(); ++a) {
      if (!structure_.is_terminal(a)) going_on_.push_back(a);
    }
  }

  Watched begin(std::size_t index, std::uint64_t seed, base::RandomPurpose action_stream) const {
    Watched watched{index,
                    base::RandomStream(seed, index + 1, base::RandomPurpose::kStoppingPatient),
                    base::RandomStream(seed, index + 1, action_stream),
                    0,
                    {}};
    watched.state = watched.patient.categorical(world_.initial);
    return watched;
  }

  // Goes on with all of them for a while; those who stop leave the list.
  void advance(std::vector<Watched>& active, std::vector<int>& steps) {
    const std::size_t done = active.front().history.size();
    const bool sure = going_on_.size() == 1;  // what happens next if they go on does not depend on how
    const std::size_t ahead =
        sure ? std::min<std::size_t>(std::max<std::size_t>(done, kFirstLookAhead), longest_ - done) : 1;
    for (Watched& watched : active) {
      for (std::size_t i = 0; i < ahead; ++i) {
        if (sure) {
          take(watched, going_on_[0]);
        } else {
          watched.history.push_back({going_on_[0], kMissing});  // adds no history to the tree
        }
      }
    }
    const HistoryTree tree = tree_of(active);
    const std::vector<double> policies = learner_.policies(tree);
    std::erase_if(active, [&](Watched& watched) {
      const bool stopped = decide(watched, done, sure, tree.path_of(watched.history), policies, steps);
      return stopped || static_cast<int>(watched.history.size()) >= longest_;
    });
  }

 private:
  HistoryTree tree_of(const std::vector<Watched>& active) const {
    HistoryTreeBuilder builder(structure_.action_count());
    for (const Watched& watched : active) builder.add(watched.history);
    return builder.build();
  }

  void take(Watched& watched, int action) const {
    const std::size_t S = structure_.states.size();
    const std::size_t Z = structure_.observations.size();
    watched.state = watched.patient.categorical({&world_.transition[(action * S + watched.state) * S], S});
    watched.history.push_back(
        {action, watched.patient.categorical({&world_.observation[(action * S + watched.state) * Z], Z})});
  }

  // True if the patient's record ended. `sure`: the history already holds what follows.
  bool decide(Watched& watched, std::size_t from, bool sure, const std::vector<std::int32_t>& path,
              const std::vector<double>& policies, std::vector<int>& steps) const {
    const std::size_t A = structure_.actions.size();
    for (std::size_t t = from; t < path.size(); ++t) {
      const int action = watched.actions.categorical({&policies[path[t] * A], A});
      if (structure_.is_terminal(action)) {
        steps[watched.index] = static_cast<int>(t) + 1;
        return true;
      }
      if (!sure) {
        watched.history.pop_back();
        take(watched, action);
      }
    }
    return false;
  }

  const Structure& structure_;
  const Dynamics& world_;
  const learners::FittedLearner& learner_;
  int longest_;
  std::vector<int> going_on_;
};

}  // namespace

StoppingTimes times_of_learner(const Model& truth, const learners::FittedLearner& learner,
                               const StoppingTimeOptions& options, base::RandomPurpose action_stream) {
  LearnerWatch watch(truth, learner, options.longest);
  StoppingTimes times;
  times.steps.assign(options.patients, options.longest + 1);
  std::vector<Watched> active;
  for (std::int64_t i = 0; i < options.patients; ++i) {
    active.push_back(watch.begin(i, options.seed, action_stream));
  }
  while (!active.empty()) watch.advance(active, times.steps);
  return times;
}

}  // namespace interpole::evaluate
