#include "interpole/service/fit/learning_data.hpp"

#include <fmt/format.h>

#include "interpole/data/policy_covariates.hpp"

namespace interpole::service {

LearningData read_learning_data(const std::string& study, const DataFiles& data,
                                const base::Checkpoint::Fingerprint& outputs) {
  require_separate_files(outputs);
  Study read = read_study(study);
  HistoryTree tree = data::read_tree_with_covariates(read, data);
  return {std::move(read), std::move(tree)};
}

LearningRun begin_learning(const LearningRequest& request, const base::Checkpoint::Fingerprint& outputs,
                           const std::function<base::Checkpoint::Fingerprint()>& fingerprint, Sink& sink) {
  base::Checkpoint::Fingerprint files = {{"option output", request.output}};
  files.insert(files.end(), outputs.begin(), outputs.end());
  files.emplace_back("option checkpoint", request.checkpoint);
  LearningData data = read_learning_data(request.study, request.data, files);
  return {std::move(data),
          open_checkpoint(request.checkpoint, fingerprint, request.checkpoint_seconds, sink)};
}

std::string DataCounts::shown() const {
  return fmt::format("{} patients, {} decisions, {} distinct histories", patients, decisions, histories);
}

DataCounts counts_of(const HistoryTree& tree) {
  return {tree.records, tree.decisions, tree.node_count()};
}

}  // namespace interpole::service
