#include "verbs/audit_print.hpp"

#include <fmt/format.h>

#include <array>

#include "streams.hpp"
#include "table.hpp"

namespace interpole::cli {
namespace {

using Table = std::vector<std::vector<std::string>>;

constexpr const char* kWithheld = "withheld";

std::string percent_with_interval(const Estimate& x) {
  return fmt::format("{:.1f}% [{:.1f}, {:.1f}]", 100.0 * x.middle, 100.0 * x.low, 100.0 * x.high);
}

std::string p_value(const std::optional<double>& p) {
  if (!p) return "";
  return *p < 0.001 ? " p<0.001" : fmt::format(" p={:.3f}", *p);
}

std::string share(const std::optional<explain::CohortShare>& x) {
  if (!x) return kWithheld;
  return fmt::format("{}/{} {}{}", x->flagged, x->total, percent_with_interval(x->share),
                     p_value(x->p_adjusted));
}

std::string estimate(const std::optional<Estimate>& x) {
  return x ? percent_with_interval(*x) : kWithheld;
}

std::string moments(const std::optional<explain::CohortMean::Moments>& x) {
  return x ? fmt::format("{:.1f} ± {:.1f}", x->mean, x->sd) : kWithheld;
}

std::vector<int> kinds_shown(const service::AuditOutcome& outcome, bool of_tests) {
  std::vector<int> kinds;
  if (outcome.rules.no_belated.empty()) kinds.push_back(static_cast<int>(explain::FlagKind::kBelated));
  if (outcome.rules.no_uninformative.empty()) {
    kinds.push_back(static_cast<int>(of_tests ? explain::FlagKind::kUninformativeTests
                                              : explain::FlagKind::kUninformativePatients));
  }
  kinds.push_back(static_cast<int>(explain::FlagKind::kUnlikely));
  return kinds;
}

void print_frequency(const service::AuditOutcome& outcome) {
  const std::vector<std::string> names = {"belated diagnoses", "uninformative tests", "", "unlikely records"};
  const auto kinds = kinds_shown(outcome, true);
  Table table = {{"cohort", "patients"}};
  for (const int kind : kinds) table[0].push_back(names[kind]);
  for (const explain::CohortRow& row : outcome.tables.rows) {
    table.push_back({row.name, row.patients ? std::to_string(*row.patients) : kWithheld});
    for (const int kind : kinds) table.back().push_back(share(row.flags[kind]));
  }
  show("How frequent\n\n");
  print_table(table);
}

void print_features(const service::AuditOutcome& outcome) {
  if (outcome.tables.rows.size() < 2 && outcome.tables.means.empty()) return;
  const std::vector<std::string> names = {"belated diagnoses", "", "uninformative tests", "unlikely records"};
  const auto kinds = kinds_shown(outcome, false);
  std::array<bool, explain::kFlagKinds> nobody{};  // has that flag
  for (int kind = 0; kind < explain::kFlagKinds; ++kind) {
    const auto& all = outcome.tables.rows[0].flags[kind];
    nobody[kind] = all && all->flagged == 0;
  }
  Table table = {{"patients with", "all"}};
  for (const int kind : kinds) table[0].push_back(names[kind]);
  for (const explain::CohortMean& mean : outcome.tables.means) {
    table.push_back({"mean " + mean.covariate, moments(mean.all)});
    for (const int kind : kinds) table.back().push_back(nobody[kind] ? "–" : moments(mean.flagged[kind]));
  }
  for (std::size_t i = 1; i < outcome.tables.rows.size(); ++i) {
    const explain::CohortRow& row = outcome.tables.rows[i];
    table.push_back({row.name, estimate(row.of_all)});
    for (const int kind : kinds) table.back().push_back(nobody[kind] ? "–" : estimate(row.of_flagged[kind]));
  }
  show("\nWho they are: the share of each cohort among …\n\n");
  print_table(table);
}

void print_tests(const service::AuditOutcome& outcome) {
  Table table = {{"test", "visits", "bits expected", "bits in the world", "could change the next action"}};
  for (const auto& value : outcome.tests) {
    const auto add = [&](const char* where, const std::optional<explain::TestValue>& x) {
      const std::string name = outcome.structure.actions[value.action] + where;
      if (!x || x->visits == 0) {
        table.push_back({name, x ? "0" : kWithheld, "–", "–", "–"});
        return;
      }
      table.push_back({name, std::to_string(x->visits), fmt::format("{:.3f}", x->information),
                       shown_number(x->information_world, 3),
                       x->decides ? fmt::format("{:.1f}%", 100.0 * *x->decides) : kWithheld});
    };
    add(" done", value.done);
    add(" not done", value.not_done);
  }
  if (table.size() == 1) return;
  show("\nWhat tests are worth\n\n");
  print_table(table);
}

void print_flagged(const service::AuditOutcome& outcome) {
  if (outcome.flagged.empty()) return;
  const auto chance = [](const std::optional<double>& p) {
    return p ? fmt::format(" {:.0f}%", 100.0 * *p) : "";
  };
  Table table = {{"patient", "belated: left out", "confirmed", "uninformative tests", "unlikely"}};
  for (const service::FlaggedPatient& flagged : outcome.flagged) {
    const RecordAudit& audit = flagged.audit;
    std::string left_out, tests;
    for (const int t : audit.left_out) left_out += (left_out.empty() ? "" : ", ") + flagged.visits[t];
    for (const auto& test : audit.tests) {
      if (!test.uninformative) continue;
      tests += (tests.empty() ? "" : ", ") + flagged.visits[test.visit] + chance(test.probability);
    }
    table.push_back({flagged.patient, audit.belated ? left_out + chance(audit.belated_probability) : "–",
                     audit.belated ? flagged.visits[audit.confirmed] : "–", tests.empty() ? "–" : tests,
                     audit.unlikely && audit.tail ? fmt::format("p={:.2g}", *audit.tail) : "–"});
  }
  show("\nFlagged patients (not for publication)\n\n");
  print_table(table);
}

}  // namespace

void print_audit(const service::AuditOutcome& outcome) {
  print_frequency(outcome);
  print_features(outcome);
  print_tests(outcome);
  print_flagged(outcome);
  show("\n");
  if (!outcome.rules.no_belated.empty())
    show("Belated diagnoses: not applicable; {}.\n", outcome.rules.no_belated);
  if (!outcome.rules.no_uninformative.empty()) {
    show("Uninformative tests: not applicable; {}.\n", outcome.rules.no_uninformative);
  }
  if (outcome.certainty > 0.0) {
    show("Belated and uninformative flags stand in at least {:g}% of {} posterior draws ({}).\n",
         100.0 * outcome.certainty, outcome.draws, outcome.source);
  } else if (outcome.draws == 0) {
    show("How certain flags are is not known: the model comes without posterior draws.\n");
  }
  if (outcome.tables.withheld) {
    show("Withheld: counts from 1 to {}, and what would give them away.\n", outcome.min_cell - 1);
  }
  show("p: cohort against the rest, {}corrected for the number of cohorts (Holm, flag by flag).\n",
       outcome.draws > 0 ? "counting how uncertain flags are, " : "");
}

}  // namespace interpole::cli
