#include "interpole/data/warehouse/count_query.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interpole/base/messages.hpp"
#include "interpole/data/counts/counts_key.hpp"
#include "interpole/data/counts/counts_table.hpp"
#include "interpole/data/counts/named_covariates.hpp"
#include "interpole/data/counts/step_codes.hpp"
#include "interpole/data/warehouse/mapped_query.hpp"
#include "interpole/data/warehouse/visits_query.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

std::string comma_list(const std::vector<std::string>& parts) {
  std::string list;
  for (const std::string& part : parts) list += ", " + part;
  return list;
}

// "-- 0 monitor, 1 declare-healthy", broken into lines.
std::string legend(const std::string& what, const std::vector<std::string>& names) {
  std::string lines = fmt::format("-- {}", what);
  std::size_t width = lines.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string entry =
        fmt::format(" {} {}{}", i, base::shown(names[i]), i + 1 < names.size() ? "," : "");
    if (width + entry.size() > 110) {
      lines += "\n--  ";
      width = 4;
    }
    lines += entry;
    width += entry.size();
  }
  return lines + "\n";
}

std::string header(const Study& study, const CountQueryOptions& options, const StepCodes& codes,
                   bool diagnoses) {
  const Structure& structure = study.structure;
  std::string text = fmt::format(
      "-- Counts of alike records, for interpole, in the SQL of {}.\n"
      "-- Study: {}. Rows stay in the warehouse; what leaves it is one row for each distinct record.\n"
      "-- Counts of long histories identify people: a sequence that one patient has is that patient's "
      "history.\n"
      "--\n"
      "-- sequence: the steps of a record in their order, one number each:\n"
      "--   action x {} + (outcome + 1) x {}{}; an outcome that was not recorded counts as -1.\n",
      options.dialect.name(), study.name.empty() ? "without a name" : base::shown(study.name),
      codes.of_action(), codes.of_outcome(),
      diagnoses ? " + (diagnosis + 1); no diagnosis counts as -1" : "");
  text += legend("actions:", structure.actions);
  text += legend("outcomes:", structure.observations);
  if (diagnoses) text += legend("diagnoses:", structure.states);
  text +=
      "-- records: how many are so. study_key: by which the study is known again.\n"
      "-- A row \"problem: ...\" counts records that cannot be read; reading the result is then an error.\n";
  if (options.min_cell > 1) {
    text += fmt::format(
        "-- Sequences of fewer than {} records are left out; a row \"rare N\" counts them and their "
        "records.\n",
        options.min_cell);
  }
  if (options.dialect.kind() == SqlDialect::Kind::kSpark && study.mapping &&
      study.mapping->record.kind == OrderKind::kDate) {
    text += "-- Set spark.sql.session.timeZone to UTC before: days are counted in it.\n";
  }
  return text;
}

// A record's rows as one: its steps, what is wrong with it, its covariates.
SqlStage gathered(const RecordSteps& steps, const SqlDialect::OrderedSteps& ordered) {
  std::string list = ordered.steps + " AS ip_sequence";
  if (!steps.numbered) list += fmt::format(", {} AS ip_ties", ordered.ties);
  list += fmt::format(
      ",\n    MAX(ip_problem) AS ip_worst,\n    CASE WHEN MIN(CASE WHEN ip_terminal = 1 THEN ip_place END) < "
      "MAX(ip_place) THEN 1 ELSE 0 END AS ip_goes_on");
  for (std::size_t i = 0; i < steps.covariates.size(); ++i) {
    const RecordSteps::CovariateSql& covariate = steps.covariates[i];
    list += fmt::format(",\n    {} AS ip_value{}", covariate.value, i);
    if (!covariate.differs.empty())
      list += fmt::format(", CASE WHEN {} THEN 1 ELSE 0 END AS ip_differs{}", covariate.differs, i);
  }
  std::string sql = fmt::format("SELECT {}\n  FROM {}\n  GROUP BY ip_id", list, steps.stages.back().name);
  if (!steps.kept.empty()) {
    sql += fmt::format("\n  HAVING MAX(ip_problem) > 0 OR ({})", fmt::join(steps.kept, " AND "));
  }
  return {"ip_records", "One row for each record, its steps in the order of their places.", sql};
}

// What is counted: sequences, or what is wrong.
SqlStage spelled(const RecordSteps& steps, const SqlDialect& dialect,
                 const SqlDialect::OrderedSteps& ordered) {
  std::string problem = "CASE";
  const auto words = [&](int number) {
    return dialect.text(std::string(kProblemRow) +
                        steps.problems.words[static_cast<std::size_t>(number) - 1]);
  };
  for (std::size_t i = 1; i <= steps.problems.words.size(); ++i) {
    const int number = static_cast<int>(i);
    std::string condition = fmt::format("ip_worst = {}", number);
    if (number == steps.tie && !steps.numbered)
      condition = fmt::format("{} OR {}", condition, ordered.has_ties);
    if (number == steps.after_terminal) condition += " OR ip_goes_on = 1";
    for (std::size_t c = 0; c < steps.covariates.size(); ++c) {
      if (!steps.covariates[c].differs.empty() && number == steps.covariates[c].varies)
        condition += fmt::format(" OR ip_differs{} = 1", c);
    }
    problem += fmt::format("\n      WHEN {} THEN {}", condition, words(number));
  }
  std::string list = fmt::format("{}\n      ELSE {} END AS ip_spelled", problem, ordered.sequence);
  for (std::size_t i = 0; i < steps.covariates.size(); ++i) list += fmt::format(", ip_value{}", i);
  return {"ip_spelled_records", "Sequences as text; in their place, what cannot be read.",
          fmt::format("SELECT {}\n  FROM ip_records", list)};
}

SqlStage counted(const std::string& values) {
  return {"ip_counts", "",
          fmt::format("SELECT ip_spelled{0}, COUNT(*) AS ip_count\n  FROM ip_spelled_records\n  "
                      "GROUP BY ip_spelled{0}",
                      values)};
}

// Those that are too rare under one name. Problems are never left out.
SqlStage marked(const SqlDialect& dialect, std::size_t covariates, std::int64_t min_cell) {
  const std::string rare = fmt::format("ip_count < {} AND ip_spelled NOT LIKE {}", min_cell,
                                       dialect.text(std::string(kProblemRow) + "%"));
  std::string list =
      fmt::format("CASE WHEN {} THEN {} ELSE ip_spelled END AS ip_marked", rare, dialect.text(kRareRow));
  for (std::size_t i = 0; i < covariates; ++i)
    list += fmt::format(", CASE WHEN {} THEN '' ELSE ip_value{} END AS ip_marked{}", rare, i, i);
  return {"ip_marked_counts", fmt::format("Sequences of fewer than {} records, under one name.", min_cell),
          fmt::format("SELECT {}, ip_count\n  FROM ip_counts", list)};
}

std::string written(const std::vector<SqlStage>& stages) {
  std::string sql = "WITH\n";
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!stages[i].comment.empty()) sql += "-- " + stages[i].comment + "\n";
    sql +=
        fmt::format("{} AS (\n  {}\n){}\n", stages[i].name, stages[i].sql, i + 1 < stages.size() ? "," : "");
  }
  return sql;
}

}  // namespace

void CountQueryOptions::validate() const {
  if (min_cell < 0) throw usage_error(fmt::format("option min-cell: {} is below 0", min_cell));
}

std::string count_query(const Study& study, const CountQueryOptions& options) {
  options.validate();
  const SqlDialect& dialect = options.dialect;
  const bool diagnoses = study.mapping && study.mapping->diagnosis;
  const StepCodes codes(study.structure, diagnoses);
  RecordSteps steps =
      study.mapping
          ? mapped_steps(study, dialect, options.table)
          : visits_steps(study, dialect, dialect.table(options.table.empty() ? "visits" : options.table));
  const auto ordered = dialect.ordered_steps("ip_place", "ip_code", codes.count(), "ip_sequence", "ip_ties");
  std::vector<SqlStage> stages = steps.stages;
  stages.push_back(gathered(steps, ordered));
  stages.push_back(spelled(steps, dialect, ordered));
  std::vector<std::string> values, marks, columns;
  for (std::size_t i = 0; i < steps.covariates.size(); ++i) {
    values.push_back(fmt::format("ip_value{}", i));
    marks.push_back(fmt::format("ip_marked{}", i));
  }
  stages.push_back(counted(comma_list(values)));
  const bool drops = options.min_cell > 1;
  if (drops) stages.push_back(marked(dialect, values.size(), options.min_cell));
  for (std::size_t i = 0; i < steps.covariates.size(); ++i) {
    columns.push_back(fmt::format("{} AS {}", drops ? marks[i] : values[i],
                                  dialect.alias(covariate_column(steps.covariates[i].name))));
  }
  const std::string rare = dialect.text(kRareRow);
  const std::string sequence =
      drops ? fmt::format("CASE WHEN ip_marked = {0} THEN CONCAT({0}, {1}) ELSE ip_marked END", rare,
                          dialect.as_text("COUNT(*)"))
            : "ip_spelled";
  std::string query = header(study, options, codes, diagnoses) + written(stages);
  query +=
      fmt::format("SELECT {} AS {}, {} AS {}, {} AS {}{}\nFROM {}\n", sequence, dialect.alias("sequence"),
                  dialect.as_whole_number(drops ? "SUM(ip_count)" : "ip_count"), dialect.alias("records"),
                  dialect.text(counts_key(study)), dialect.alias("study_key"), comma_list(columns),
                  drops ? "ip_marked_counts" : "ip_counts");
  if (drops) query += fmt::format("GROUP BY ip_marked{}\n", comma_list(marks));
  return query;
}

}  // namespace interpole::data
