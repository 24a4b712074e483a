// Records drawn from an environment: the hidden state follows the world, decisions follow the agent's policy
// at the agent's belief. A record ends with a terminal action, or is cut after the longest length.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interpole/environment.hpp"
#include "interpole/records.hpp"
#include "interpole/sink.hpp"

namespace interpole {

struct SimulateOptions {
  std::int64_t patients = 100;
  std::uint64_t seed = 1;
  int longest = 0;  // steps; 0: the environment's own limit
  int threads = 0;  // 0: all cores. The records do not depend on it

  void validate() const;  // throws a usage error
};

// Patient 1, 2, …; named "p000001", "p000002", …. A patient's record depends on the seed and this number
// alone, so patient 17 is the same however many are simulated.
Record simulate_record(const Environment& environment, std::uint64_t seed, std::int64_t patient,
                       int longest = 0);

// The same record into `record`, whose memory is used again. `states`, if asked for, gets what nobody sees:
// the world's state at each outcome; a terminal action has no outcome, so there it is the state the record
// ended in.
void simulate_record(const Environment& environment, std::uint64_t seed, std::int64_t patient, int longest,
                     Record& record, std::vector<int>* states);

// Calls `visit` for patients 1 … options.patients in that order, from the calling thread. Holds a few
// thousand records at a time. If the sink asks to stop, throws an interrupted error.
void simulate(const Environment& environment, const SimulateOptions& options,
              const std::function<void(const Record&)>& visit, Sink& sink = quiet_sink());

}  // namespace interpole
