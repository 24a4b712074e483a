// A study file (TOML, docs/study-file.md) says what the decision problem is and what is known before looking
// at data.
#pragma once

#include <optional>
#include <string>

#include "interpole/data/study/table_mapping.hpp"
#include "interpole/model/parameters.hpp"
#include "interpole/model/priors.hpp"

namespace interpole {

struct Study {
  std::string name;
  Structure structure;
  Parameters known;  // NaN: to be learned. Any number: held at that value, whole or element by element
  std::optional<Dynamics> world;  // what is known of the world, where it differs from what is known of both
  Parameters start;               // NaN: drawn from the prior at each restart. Any number: start there
  double start_noise = 0.001;     // standard deviation of the normal noise added to starting means
  Priors priors;
  std::optional<LabelHint> labels;
  std::optional<TableMapping> mapping;  // how the user's own tables become records; none: a visits table

  const Dynamics& known_world() const { return world ? *world : known.dynamics; }
};

// Throws an input error naming file, key, value and remedy.
Study read_study(const std::string& path);
Study parse_study(const std::string& text, const std::string& where);

}  // namespace interpole
