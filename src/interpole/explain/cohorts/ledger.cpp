#include "interpole/explain/cohorts/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/files/text_file.hpp"
#include "interpole/base/json/strict_json.hpp"
#include "interpole/error.hpp"

namespace interpole::explain {
namespace {

using base::JsonPlace;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr char kLedgerFormat[] = "interpole-ledger";
constexpr std::array kLedgerFlags = {"belated_diagnoses", "uninformative_tests",
                                     "patients_with_uninformative_tests", "unlikely_records"};

LedgerFacts facts_in(element value, const JsonPlace& place) {
  LedgerFacts facts;
  for (const auto [name, fact] : base::json_object(value, place)) {
    facts.emplace_back(std::string(name), base::json_text(fact, place.at(name)));
  }
  return facts;
}

PublishedCohort cohort_in(element value, const JsonPlace& place) {
  const object row = base::json_object(value, place);
  PublishedCohort cohort;
  cohort.group = row.at_key("group").error() == simdjson::SUCCESS;
  const char* name_key = cohort.group ? "group" : "cohort";
  cohort.cohort = base::json_text(base::json_member(row, name_key, place), place.at(name_key));
  const JsonPlace shown = place.at("shown");
  std::size_t index = 0;
  for (const element what : base::json_array(base::json_member(row, "shown", place), shown)) {
    const JsonPlace here = shown.at(index++);
    const std::string name = base::json_text(what, here);
    const auto found = std::find(kLedgerFlags.begin(), kLedgerFlags.end(), name);
    if (found != kLedgerFlags.end()) {
      cohort.flags[static_cast<std::size_t>(found - kLedgerFlags.begin())] = true;
    } else if (name == "patients") {
      cohort.patients = true;
    } else {
      throw input_error(fmt::format("{}: {} is nothing that a table shows; the file was changed by hand",
                                    here.text(), base::in_quotes(name)));
    }
  }
  return cohort;
}

void require_same(const std::string& path, const LedgerFacts& there, const LedgerFacts& here) {
  if (there == here) return;
  const auto value_in = [](const LedgerFacts& facts, const std::string& name) -> std::string {
    const auto found =
        std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == name; });
    return found == facts.end() ? "none" : found->second;
  };
  std::string name;
  for (const LedgerFacts* facts : {&there, &here}) {
    for (const auto& [known, value] : *facts) {
      if (name.empty() && value_in(there, known) != value_in(here, known)) name = known;
    }
  }
  throw input_error(fmt::format(
      "{}: nothing was published: the ledger is of another {} ({}; here {}), and what it lists could be "
      "subtracted from this. Publish with what the ledger is of, or do not publish both; another ledger is "
      "right only for data that share no patients with these",
      path, name, base::in_quotes(value_in(there, name)), base::in_quotes(value_in(here, name))));
}

nlohmann::ordered_json facts_json(const LedgerFacts& facts) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : facts) json[name] = value;
  return json;
}

}  // namespace

Ledger::Ledger(std::string path, LedgerFacts of, LedgerFacts flags)
    : path_(std::move(path)), of_(std::move(of)), flags_(std::move(flags)), stamp_(base::file_stamp(path_)) {
  if (stamp_ != base::FileStamp()) read();
}

void Ledger::read() {
  const std::string text = base::read_text_file(path_, "ledger");
  simdjson::dom::parser parser;
  const JsonPlace top(path_);
  const object document = base::json_object(base::parse_json(parser, text, path_), top);
  const std::string format = base::json_text(base::json_member(document, "format", top), top.at("format"));
  const double version = base::json_number(base::json_member(document, "version", top), top.at("version"));
  if (format != kLedgerFormat || version != 1.0) {
    throw input_error(fmt::format("{}: this is not a ledger of version 1; name a new file for one", path_));
  }
  require_same(path_, facts_in(base::json_member(document, "of", top), top.at("of")), of_);
  const LedgerFacts flags = facts_in(base::json_member(document, "flags", top), top.at("flags"));
  if (flags_.empty()) {
    flags_ = flags;
  } else if (!flags.empty()) {
    require_same(path_, flags, flags_);
  }
  const JsonPlace rows = top.at("published");
  std::size_t index = 0;
  for (const element row : base::json_array(base::json_member(document, "published", top), rows)) {
    published_.push_back(cohort_in(row, rows.at(index++)));
  }
}

void Ledger::add(const std::vector<PublishedCohort>& rows) {
  if (base::file_stamp(path_) != stamp_) {
    throw input_error(fmt::format(
        "{}: nothing was published: the ledger was changed meanwhile, by another publication; run this again",
        path_));
  }
  for (const PublishedCohort& row : rows) {
    const auto known = std::find_if(published_.begin(), published_.end(), [&](const auto& earlier) {
      return earlier.cohort == row.cohort && earlier.group == row.group;
    });
    PublishedCohort& all = known == published_.end() ? published_.emplace_back() : *known;
    all.cohort = row.cohort;
    all.group = row.group;
    all.patients = all.patients || row.patients;
    for (std::size_t kind = 0; kind < row.flags.size(); ++kind) all.flags[kind] |= row.flags[kind];
  }
  base::write_file_atomically(path_, text());
  stamp_ = base::file_stamp(path_);
}

std::string Ledger::text() const {
  auto rows = nlohmann::ordered_json::array();
  for (const PublishedCohort& cohort : published_) {
    auto shown = nlohmann::ordered_json::array();
    if (cohort.patients) shown.push_back("patients");
    for (std::size_t kind = 0; kind < kLedgerFlags.size(); ++kind) {
      if (cohort.flags[kind]) shown.push_back(kLedgerFlags[kind]);
    }
    rows.push_back({{cohort.group ? "group" : "cohort", cohort.cohort}, {"shown", shown}});
  }
  const nlohmann::ordered_json json = {{"format", kLedgerFormat},
                                       {"version", 1},
                                       {"of", facts_json(of_)},
                                       {"flags", facts_json(flags_)},
                                       {"published", rows}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace interpole::explain
