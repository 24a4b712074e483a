#include "interpole/data/dealt_visits.hpp"

#include "interpole/base/ranks/packet.hpp"
#include "interpole/data/covariate_source.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/data/records/dealt_records.hpp"
#include "interpole/data/records/tree_packet.hpp"
#include "interpole/data/study_data.hpp"

namespace interpole::data {
namespace {

// The part of the data that is this rank's; null if they are not dealt.
std::optional<DataFiles> own_files(const Study& study, const DataFiles& files) {
  if (files.counts || study.mapping) return {};
  const std::vector<std::string> parts = visits_files(files);
  if (!worth_dealing(parts, study.structure)) return {};
  DataFiles own;
  for (const std::string& part : own_parts(parts)) own.tables.emplace_back("", part);
  return own;
}

// Records of these files, which are not none, with the values of covariates.
void read_noted(const Study& study, const DataFiles& own, const std::vector<std::string>& names,
                const NotedVisitor& visit) {
  if (!names.empty()) return for_each_record_with(study, own, names, visit, CovariateRule::kOneForARecord);
  for_each_record(study, own, [&](const RecordView& record) { visit(record, {}); });
}

}  // namespace

std::optional<HistoryTree> dealt_tree(const Study& study, const DataFiles& files,
                                      std::span<const PolicyCovariate> covariates, RecordClasses classes,
                                      const std::vector<int>& start_by) {
  const auto own = own_files(study, files);
  if (!own) return {};
  const std::vector<std::string> names = with_followed({}, study, files, covariates);
  CovariateEncoder encoder(covariates, names, files);
  HistoryTreeBuilder of_own(study.structure.action_count(), true, classes, start_by);
  HistoryTreeBuilder of_all = of_own;
  const auto adder = [&](HistoryTreeBuilder& builder) {
    return [&](const RecordView& record, std::span<const std::string> texts) {
      builder.set_covariates(encoder.of(texts));
      builder.add(record.steps);
    };
  };
  std::optional<TreePacket> packet;
  const bool whole = deal_records(study.structure, !own->tables.empty(),
                                  {[&](const NotedVisitor& visit) { read_noted(study, *own, names, visit); },
                                   adder(of_own), [&] { return TreePacket::pieces(of_own); },
                                   [&](int i) { return TreePacket::piece(of_own, i); }, adder(of_all),
                                   [&](std::string_view piece, int i) {
                                     if (i == 0) packet.emplace(of_all);
                                     packet->take(piece);
                                   }});
  if (!whole) return {};
  return of_all.build();
}

bool deal_covariate_counts(const Study& study, const DataFiles& files, const std::vector<std::string>& names,
                           CovariateCounts& counts) {
  const auto own = own_files(study, files);
  if (!own) return false;
  CovariateCounts of_own;
  CovariateCounts of_all;
  const auto adder = [](CovariateCounts& to) {
    return [&to](const RecordView& /*record*/, std::span<const std::string> texts) {
      to[{texts.begin(), texts.end()}] += 1.0;
    };
  };
  const auto piece = [&](int /*index*/) {
    base::PacketWriter out;
    for (const auto& [texts, records] : of_own) {
      for (const std::string& text : texts) out.add(std::string_view(text));
      out.add(records);
    }
    return out.take();
  };
  const auto take = [&](std::string_view bytes, int /*index*/) {
    base::PacketReader in(bytes);
    while (!in.ended()) {
      std::vector<std::string> texts;
      for (std::size_t i = 0; i < names.size(); ++i) texts.push_back(in.text());
      of_all[texts] += in.get<double>();
    }
  };
  const bool whole = deal_records(study.structure, !own->tables.empty(),
                                  {[&](const NotedVisitor& visit) { read_noted(study, *own, names, visit); },
                                   adder(of_own), [] { return 1; }, piece, adder(of_all), take});
  if (whole) counts = std::move(of_all);
  return whole;
}

}  // namespace interpole::data
