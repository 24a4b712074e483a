// Adam on the cross-entropy of a recurrent network, stopped when it ceases to improve.
//
// The paper stops when the loss has not improved for 100 iterations. If that loss is the training loss, a
// network of this size goes on until it knows the patients by heart; so some patients are set aside and their
// loss is watched. What they can teach must not be lost: from the best weights on, all patients are learned
// from, for half as many more iterations as is their share. Training rests on plateaus, where the network
// knows how long a record is but not yet what it says, for longer than patience lasts: before
// `least_iterations` it stops only if the loss is 5% above its best (docs/decisions/0012-lstm.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpole/history_tree.hpp"
#include "interpole/learners/recurrent/recurrent_network.hpp"
#include "interpole/learners/recurrent/trainable_network.hpp"
#include "interpole/sink.hpp"

namespace interpole::learners {

struct NetworkTrainingOptions {
  double rate = 0.001;
  int patience = 100;           // stop after so many iterations without a new best loss, …
  int least_iterations = 1000;  // … and before so many only if the loss is clearly worse than its best
  int most_iterations = 10'000;
  double start_scale = 0.5;       // of the initial weights
  double validation_share = 0.2;  // of patients set aside; 0: the training loss is watched, as in the paper
  std::uint64_t seed = 1;
  std::uint64_t network = 0;  // of several: other initial weights, other patients set aside
  int threads = 0;
};

struct TrainedNetwork {
  std::vector<double> parameters;
  double loss = 0.0;             // mean cross-entropy of all decisions, in nats
  double validation_loss = 0.0;  // the best seen, while patients were set aside
  std::int64_t validation_records = 0;
  int iterations = 0;      // until the watched loss was best
  bool converged = false;  // patience ran out, rather than the allowance
  bool interrupted = false;
};

// Asked to stop, they return the best so far; `iterations` is 0 if there is none.
// Any network, from weights of one's own. `what` is who learns, for progress: "r-bc".
TrainedNetwork train_from(TrainableNetwork& network, std::vector<double> weights, const HistoryTree& tree,
                          const NetworkTrainingOptions& options, const std::string& what, Sink& sink);
TrainedNetwork train_network(const NetworkShape& shape, const HistoryTree& tree,
                             const NetworkTrainingOptions& options, Sink& sink);

}  // namespace interpole::learners
