#include <cmath>

#include "clinic.hpp"
#include "interpole/learn/draws/draws_file.hpp"
#include "interpole/parameters.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

void draws(std::string_view input) {
  const Structure& structure = clinic().structure;
  const Policy policy = Parameters::filled(structure, 0.0).policy;
  const InputFile file(input);
  taken(
      [&] {
        const auto draws = learn::read_draws(file.path(), structure, policy);
        require(!draws.empty(), "a file of draws has one");
        for (const AgentWorld& draw : draws) {
          for (const double value : learn::agent_world_values(draw, false))
            require(std::isfinite(value), "a draw is finite");
        }
      },
      file.path());
}

}  // namespace interpole::fuzz
