// A table to the history tree, as a visits table and mapped by a study, beside DuckDB grouping and ordering
// the same file by itself. Table and study are named by the environment variables INTERPOLE_BENCH_VISITS and
// INTERPOLE_BENCH_STUDY (scripts/bench-ingest makes both); without them nothing is measured.

#include <benchmark/benchmark.h>

#include <cstdlib>

#include "interpole/data/records/visits.hpp"
#include "interpole/data/study_data.hpp"
#include "interpole/data/tables/duckdb_connection.hpp"
#include "interpole/data/tables/table_file.hpp"

namespace interpole::data {
namespace {

const char* table() {
  return std::getenv("INTERPOLE_BENCH_VISITS");
}

Structure diagnosis() {
  auto structure = Structure::unrestricted(
      {"healthy", "diseased"}, {"monitor", "declare-healthy", "declare-diseased"}, {"negative", "positive"});
  structure.make_terminal(1);
  structure.make_terminal(2);
  return structure;
}

void visits_to_tree(benchmark::State& state) {
  if (table() == nullptr) return state.SkipWithError("INTERPOLE_BENCH_VISITS is not set");
  HistoryTree tree;
  for (auto _ : state) tree = read_history_tree(table(), diagnosis());
  state.counters["rows"] = static_cast<double>(tree.decisions);
  state.counters["nodes"] = tree.node_count();
}

void mapped_to_tree(benchmark::State& state) {
  const char* study_file = std::getenv("INTERPOLE_BENCH_STUDY");
  if (table() == nullptr || study_file == nullptr)
    return state.SkipWithError("INTERPOLE_BENCH_STUDY is not set");
  const Study study = read_study(study_file);
  HistoryTree tree;
  for (auto _ : state) tree = read_tree(study, data_file(table()));
  state.counters["rows"] = static_cast<double>(tree.decisions);
  state.counters["nodes"] = tree.node_count();
}

void duckdb_alone(benchmark::State& state) {
  if (table() == nullptr) return state.SkipWithError("INTERPOLE_BENCH_VISITS is not set");
  std::int64_t patients = 0;
  for (auto _ : state) {
    const DuckdbConnection connection({});
    DuckdbQuery query(
        connection,
        "SELECT count(*)::DOUBLE FROM (SELECT action, observation, row_number() OVER (PARTITION BY patient "
        "ORDER BY step) AS visit FROM read_csv(" +
            sql_path_literal(table()) + ")) WHERE visit = 1 AND action IS NOT NULL",
        table());
    std::vector<double> counts;
    copy_numbers(query.fetch(), 0, 0.0, counts);
    patients = static_cast<std::int64_t>(counts[0]);
  }
  state.counters["patients"] = static_cast<double>(patients);
}

BENCHMARK(visits_to_tree)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1)->Repetitions(3);
BENCHMARK(mapped_to_tree)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1)->Repetitions(3);
BENCHMARK(duckdb_alone)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1)->Repetitions(3);

}  // namespace
}  // namespace interpole::data
