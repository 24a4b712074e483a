#include "interpole/service/fit/learning_data.hpp"

#include <fmt/format.h>

#include "interpole/data/policy_covariates.hpp"
#include "interpole/service/rare_records.hpp"
#include "interpole/service/same_inputs.hpp"

namespace interpole::service {

LearningData read_learning_data(const std::string& study, const DataFiles& data, const NamedFiles& outputs,
                                std::int64_t min_cell) {
  const NamedFiles files = with_data({{"option study", study}}, data);
  require_separate_files(outputs, files);
  require_same_inputs(files);
  base::WatchedFiles inputs = watched(files);
  Study read = read_study(study);
  std::vector<std::string> left_out;
  HistoryTree tree = data::read_tree_with_covariates(read, data, min_cell, &left_out);
  inputs.require_unchanged();
  return {std::move(read), std::move(tree), std::move(left_out), std::move(inputs)};
}

LearningRun begin_learning(const LearningRequest& request, const NamedFiles& outputs,
                           const std::function<base::Checkpoint::Fingerprint()>& fingerprint, Sink& sink) {
  NamedFiles files = {{"option output", request.output}};
  files.insert(files.end(), outputs.begin(), outputs.end());
  files.emplace_back("option checkpoint", request.checkpoint);
  LearningData data = read_learning_data(request.study, request.data, files, request.min_cell);
  for (const std::string& sentence : data.left_out) sink.note(sentence);
  warn_of_rare_records(data.study, request.data, sink);
  auto checkpoint = open_checkpoint(request.checkpoint, fingerprint, request.checkpoint_seconds, sink);
  if (checkpoint) data.inputs.require_unchanged();
  return {std::move(data), std::move(checkpoint)};
}

std::string DataCounts::shown() const {
  return fmt::format("{} patients, {} decisions, {} distinct histories", patients, decisions, histories);
}

DataCounts counts_of(const HistoryTree& tree) {
  return {tree.records, tree.decisions, tree.node_count()};
}

}  // namespace interpole::service
