#include "interpole/learners/registry/learner_file.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

void learner(std::string_view input) {
  learners::SavedLearner saved;
  if (!taken([&] { saved = learners::parse_learner(std::string(input), "in.json"); }, "in.json")) return;
  const std::string written = learners::format_learner(saved.algorithm, saved.structure, *saved.learner);
  const learners::SavedLearner again = learners::parse_learner(written, "written.json");
  require(learners::format_learner(again.algorithm, again.structure, *again.learner) == written,
          "a learner that is written reads back");
}

}  // namespace interpole::fuzz
