// What the explorer's page is given: one JSON document with the model, posterior draws, the records and what
// was found in them (docs/explorer-data.md). Everything else the page shows it computes itself.
//
// Privacy is the default: no identifiers, no visits' names, no groups or covariates of single patients, no
// file names, counts below `min_cell` withheld. The order of records follows from what is in them and a seed,
// never from the table's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/fit.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

class GroupComparisons;

struct ExplorerRequest {
  std::string model;
  std::string study;  // for data that are not a visits table; its groups are compared
  DataFiles data;
  std::optional<std::span<const Record>> records;  // in memory, instead of data
  std::string draws;                 // from `sample`; empty: the model's own approximation, if it has one
  std::string title;                 // empty: the study's name
  std::vector<std::string> cohorts;  // expressions; empty: the covariates the study declares
  std::string comparison;            // from `compare --json`; empty: none
  std::string beside;                // a second model of the same structure; empty: none
  bool groups = true;             // compare them, if the study names any; takes a while where there are many
  bool shares = false;            // what makes decisions foreseeable: fits the model again and again
  bool allow_individual = false;  // identifiers, visits' names and groups of patients; file names
  std::int64_t min_cell = 11;     // counts from 1 to below this are withheld; 0 or 1: none is
  std::string ledger;             // of what was published of these data; empty: none is kept
  std::uint64_t seed = 1;
  int threads = 0;
  std::int64_t most_visits = 500000;  // of more, a random part of the patients is given
  std::string made_by = "report";     // or "serve"
  bool refit = false;                 // a fit made in a live session
  bool can_refit = false;
  void validate() const;  // throws a usage error
};

struct ExplorerDocument {
  std::string json;
  std::int64_t patients = 0;  // whose records are in it
  std::int64_t visits = 0;
  bool sampled = false;  // there were more
};

// Throws Error(kInterrupted) if asked to stop.
ExplorerDocument explorer_document(const ExplorerRequest& request, Sink& sink);
// Of a fit at hand: `request.model` is not read.
ExplorerDocument explorer_document(const ExplorerRequest& request, const FitResult& fit, Sink& sink);
std::string explorer_json(const ExplorerRequest& request, Sink& sink);

// The same of a fit at hand in a live session, without comparing groups again where nothing it follows from
// has changed. Where groups must be compared anew and there is an older comparison, the document is first
// shown with that one, marked as such, and shown again when the new one is there. If that one fails or is
// stopped, the first stays and the sink is warned. Throws Error(kInterrupted) if asked to stop before
// anything was shown.
void show_explorer(const ExplorerRequest& request, const FitResult& fit, GroupComparisons& comparisons,
                   const std::function<void(std::string json)>& show, Sink& sink);

}  // namespace interpole::service
