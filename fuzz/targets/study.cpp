#include "interpole/study.hpp"

#include "interpole/data/counts/counts_key.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

void study(std::string_view input) {
  taken(
      [&] {
        const Study study = parse_study(std::string(input), "in.toml");
        if (!study.structure.measured()) require(!data::counts_key(study).empty(), "a study has a key");
        require(!study.structure.states.empty() && !study.structure.actions.empty(),
                "a study has states and actions");
      },
      "in.toml");
}

}  // namespace interpole::fuzz
