#include "interpole/service/report_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "interpole/base/atomic_file.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/model/model_file.hpp"
#include "interpole/report/report.hpp"
#include "interpole/service/impossible.hpp"
#include "interpole/service/model_notes.hpp"
#include "interpole/service/model_study.hpp"

namespace interpole {
namespace {

// A short, a middling and a long record, so that a reader sees quick and slow decisions alike. One pass over
// the table finds the lengths, a second the records.
class ExamplePicker {
 public:
  void count(const RecordView& record) { ++lengths_[std::min(record.steps.size(), lengths_.size() - 1)]; }

  void choose_lengths() {
    std::int64_t total = 0;
    for (const auto n : lengths_) total += n;
    for (const double share : {0.25, 0.6, 0.95}) {
      std::int64_t left = static_cast<std::int64_t>(share * static_cast<double>(total));
      std::size_t length = 0;
      while (length + 1 < lengths_.size() && left >= lengths_[length]) left -= lengths_[length++];
      if (wanted_.empty() || wanted_.back() != length) wanted_.push_back(length);
    }
  }

  void offer(const RecordView& record) {
    if (examples_.size() == wanted_.size() || record.steps.size() != wanted_[examples_.size()]) return;
    examples_.push_back({{}, {record.steps.begin(), record.steps.end()}});
  }

  std::vector<Record> take() { return std::move(examples_); }

 private:
  std::vector<std::int64_t> lengths_ = std::vector<std::int64_t>(1000, 0);
  std::vector<std::size_t> wanted_;
  std::vector<Record> examples_;
};

}  // namespace

void run_report(const ReportRequest& request, Sink&) {
  const Model model = read_model(request.model);
  const Study study = study_of_model(request.study, request.model, model.structure);
  HistoryTreeBuilder builder(model.structure.action_count());
  ExamplePicker picker;
  for_each_record(study, request.data, [&](const RecordView& record) {
    builder.add(record.steps);
    picker.count(record);
  });
  const HistoryTree tree = builder.build();
  if (const auto impossible = node_beliefs(tree, model.structure, model.agent.dynamics).impossible) {
    throw impossible_outcome(study, request.data, tree, *impossible, "the model",
                             "correct the table, or use a model that allows it");
  }
  picker.choose_lengths();
  for_each_record(study, request.data, [&](const RecordView& record) { picker.offer(record); });

  ReportInput input;
  input.title = request.title.empty() ? std::filesystem::path(request.data.tables[0].second).stem().string()
                                      : request.title;
  input.model = &model;
  input.tree = &tree;
  input.examples = picker.take();
  ModelNotes notes = read_model_notes(request.model);
  input.facts = std::move(notes.facts);
  input.warnings = std::move(notes.warnings);
  write_file_atomically(request.output, render_report(input));
}

}  // namespace interpole
