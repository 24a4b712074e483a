#include "interpole/service/explain/history_rows.hpp"

#include <bit>

#include "interpole/base/files/csv.hpp"
#include "interpole/base/open_addressing.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/data/record_contexts.hpp"
#include "interpole/error.hpp"
#include "interpole/service/impossible.hpp"

namespace interpole::service {
namespace {

constexpr int kFirstSlotBits = 12;
constexpr std::size_t kMostOutcomes = std::size_t{1} << 31;  // that are measured

}  // namespace

HistoryRows::HistoryRows(const std::string& path, const std::string& header, const Structure& structure,
                         Start start, Maker make, Options options)
    : file_(path, base::NewFile::kPrivate),
      start_(std::move(start)),
      make_(std::move(make)),
      options_(options),
      outcomes_(structure.measured() ? kMostOutcomes : structure.observations.size() + 1),
      branches_(outcomes_ * structure.actions.size()),
      slots_(std::size_t{1} << kFirstSlotBits),
      slot_bits_(kFirstSlotBits) {
  // Entries are kept by action and outcome; gaps differ besides.
  if (structure.timed()) options_.most_bytes = 0;
  file_.write(header + "\n");
}

// The slot that holds the key, or the free one where it belongs.
std::size_t HistoryRows::slot_of(std::uint64_t key) const {
  return base::probe(slots_, key * 0x9E3779B97F4A7C15u >> (64 - slot_bits_),
                     [&](const Slot& slot) { return slot.entry < 0 || slot.key == key; });
}

void HistoryRows::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  ++slot_bits_;
  for (const Slot& slot : old) {
    if (slot.entry >= 0) slots_[slot_of(slot.key)] = slot;
  }
}

void HistoryRows::keep(std::uint64_t key, Entry entry) {
  kept_bytes_ += entry.text.size() + sizeof(Entry) + entry.after.size() * sizeof(double) + 4 * sizeof(Slot);
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  slots_[slot_of(key)] = {key, static_cast<std::int32_t>(entries_.size())};
  entries_.push_back(std::move(entry));
}

// The key of what comes first in records of a class, less action and outcome: above those of all histories.
std::uint64_t HistoryRows::first_key(std::span<const double> covariates) {
  if (covariates.empty()) return 0;
  std::vector<std::uint64_t> bits;
  for (const double x : covariates) bits.push_back(std::bit_cast<std::uint64_t>(x));
  const auto found = class_of_.try_emplace(std::move(bits), class_of_.size()).first;
  return (std::uint64_t{1} << 63) + found->second * branches_;
}

std::optional<std::size_t> HistoryRows::add(const data::RecordView& record,
                                            std::span<const double> covariates) {
  patient_ = base::shown_csv_cell(record.patient);
  patient_ += ',';
  std::int64_t last = -1;  // entry of the step before; −1: the first
  bool keeping = true;     // the history is among the entries
  Entry passing;           // the step before, where it is not
  for (std::size_t t = 0; t < record.steps.size(); ++t) {
    const Step step = record.steps[t];
    const std::uint64_t from =
        t == 0 ? first_key(covariates) : static_cast<std::uint64_t>(last + 1) * branches_;
    const std::uint64_t key = from + static_cast<std::uint64_t>(step.action) * outcomes_ +
                              static_cast<std::uint64_t>(step.observation + 1);
    const std::int32_t found = keeping ? slots_[slot_of(key)].entry : -1;
    if (found >= 0) {
      last = found;
    } else {
      if (t == 0) passing.after = start_(covariates);
      const std::vector<double>& before = t > 0 && keeping ? entries_[last].after : passing.after;
      Entry entry = make_(before, step, context_after(record.steps.first(t), covariates));
      keeping = keeping && kept_bytes_ < options_.most_bytes;
      if (keeping) {
        last = static_cast<std::int64_t>(entries_.size());
        keep(key, std::move(entry));
      } else {
        passing = std::move(entry);
      }
    }
    const Entry& entry = keeping ? entries_[last] : passing;
    if (entry.impossible) return t;
    write_row(record, t, entry.text);
  }
  return std::nullopt;
}

void HistoryRows::write_row(const data::RecordView& record, std::size_t t, const std::string& text) {
  line_.clear();
  line_.append(patient_);
  const fmt::format_int number(record.numbers[t]);
  line_.append(number.data(), number.data() + number.size());
  if (options_.name_visits) {
    line_.push_back(',');
    if (!record.visits.empty()) line_.append(base::shown_csv_cell(record.visits[t]));
  }
  file_.write({line_.data(), line_.size()});
  file_.write(text);
}

HistoryRows::Start row_start(const Parameters& agent) {
  return [&agent](std::span<const double> covariates) {
    std::vector<double> start = start_belief(agent.dynamics, covariates);
    if (agent.policy.other_kinds.empty()) return start;
    const auto shares = agent.policy.kind_shares();
    start.insert(start.end(), shares.begin(), shares.end());
    return start;
  };
}

RowPlace row_place(std::span<const double> carried, std::size_t states, const DecisionContext& context) {
  RowPlace place{carried.first(states), context};
  place.context.kinds = carried.subspan(states);
  return place;
}

void carry_kinds(const Structure& structure, const Policy& policy, const RowPlace& at, int action,
                 std::vector<double>& after) {
  if (policy.other_kinds.empty()) return;
  std::vector<double> kinds(policy.kind_count());
  kinds_after_decision(structure, policy, at.belief, at.context, action, kinds);
  after.insert(after.end(), kinds.begin(), kinds.end());
}

RowCounts add_records(HistoryRows& rows, const Study& study, const DataFiles& data,
                      const std::vector<PolicyCovariate>& covariates, const std::string& patient,
                      Sink& sink) {
  RowCounts counts;
  const auto add = [&](const data::RecordView& record, std::span<const double> values) {
    base::stop_if_asked(sink);
    if (!patient.empty() && record.patient != patient) return;
    if (const auto impossible = rows.add(record, values)) {
      const Step step = record.steps[*impossible];
      throw impossible_outcome(study.structure, data, std::string(record.patient),
                               shown_place(record.visits, record.numbers, *impossible), step.action,
                               step.observation, "the model",
                               "correct the table, or use a model that allows it");
    }
    ++counts.patients;
    counts.decisions += static_cast<std::int64_t>(record.steps.size());
  };
  data::for_each_record_in_context(study, data, covariates, add, data::RecordDetails::kVisits);
  return counts;
}

}  // namespace interpole::service
