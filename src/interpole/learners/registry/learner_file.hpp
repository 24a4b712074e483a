// The learner file (docs/learner-file.md): what a learner has learned that is not a model of beliefs. UTF-8
// JSON, versioned, read strictly, written atomically. Learners that are models are kept as model files.
#pragma once

#include <memory>
#include <string>

#include "interpole/learners/learner.hpp"

namespace interpole::learners {

inline constexpr int kLearnerFileVersion = 1;

struct SavedLearner {
  std::string algorithm;  // as in the registry; of a model file "interpole", whatever fitted it
  Structure structure;
  std::unique_ptr<FittedLearner> learner;
};

// Either kind of file. Throws an input error naming the file, the JSON path and the value if anything is
// amiss.
SavedLearner read_learner(const std::string& path);
SavedLearner parse_learner(const std::string& text, const std::string& where);

// The text of a model file or a learner file, whichever the learner needs. `extras` is a JSON object whose
// keys (provenance …) follow.
std::string format_learner(const std::string& algorithm, const Structure& structure,
                           const FittedLearner& learner, const std::string& extras = "{}");

}  // namespace interpole::learners
