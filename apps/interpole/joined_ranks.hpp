// The program as one of several processes (docs/cluster.md): they join before the work and part after it,
// with one voice and one exit code. As one process, which is the rule, this does nothing.
#pragma once

#include <memory>
#include <string>

#include "interpole/base/ranks/ranks.hpp"

namespace interpole::cli {

class JoinedRanks {
 public:
  // Joins the others if mpirun or srun has started several processes. Throws a usage error if the verb has no
  // work for them; see started_ranks.hpp for other errors.
  JoinedRanks(int argc, char** argv);
  ~JoinedRanks();
  JoinedRanks(const JoinedRanks&) = delete;
  JoinedRanks& operator=(const JoinedRanks&) = delete;

  // Usage error on all ranks if they are not alike (started_ranks.hpp).
  void require_alike(int argc, char** argv);

  // How this process would end. `message`: its error, may be empty. Waits for the others; returns how all
  // end, and what is to be said here, which is nothing but on the first rank. If a rank fails where others
  // cannot hear of it, it says so and ends them.
  struct End {
    int exit_code = 0;
    std::string message;
  };
  End part(int exit_code, const std::string& message);

 private:
  std::unique_ptr<base::Ranks> ranks_;
};

}  // namespace interpole::cli
