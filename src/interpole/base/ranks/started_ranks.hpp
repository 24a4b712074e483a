// Whether this process is one of several that mpirun or srun started, told from the environment, and the
// library that speaks MPI, which is loaded only if it is: the program starts as fast as without, and runs
// where there is no MPI.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "interpole/base/ranks/ranks.hpp"

namespace interpole::base {

struct StartedRank {
  int rank = 0;
  int size = 1;
  std::string by;         // "mpirun"
  bool connected = true;  // whoever started it lets ranks find each other
};

using Environment = std::function<std::optional<std::string>(const char*)>;
std::optional<std::string> process_environment(const char* name);

// Null if the process is the only one.
std::optional<StartedRank> started_rank(const Environment& environment = process_environment);

// Joins the others. Usage error if they cannot find each other, runtime error if the library is missing or
// cannot be loaded.
std::unique_ptr<Ranks> join_ranks(const StartedRank& started);

// Throws a usage error on all ranks if they are of different versions, were given different words, or run on
// machines whose arithmetic may differ in the last digit.
void require_alike(Ranks& ranks, const std::string& words);

}  // namespace interpole::base
