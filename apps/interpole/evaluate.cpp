#include <fmt/format.h>

#include "console.hpp"
#include "interpole/service/evaluate_task.hpp"
#include "interpole/service/summary_json.hpp"
#include "table.hpp"
#include "verb.hpp"

namespace interpole::cli {
namespace {

struct Flags {
  EvaluateRequest request;
  std::vector<std::string> data;
  Common common;
};

std::string times_thousand(const std::optional<double>& x) {
  return x ? fmt::format("{:.3f} ×10⁻³ per decision", 1e3 * *x)
           : "infinite (the fit rules out what the truth allows)";
}

void print_evaluation(const Evaluation& evaluation) {
  const auto& likelihood = evaluation.log_likelihood;
  Rows rows = {
      {"data", fmt::format("{} patients, {} decisions", evaluation.patients, evaluation.decisions)},
      {"log-likelihood", fmt::format("{:.4f} (actions {:.4f}, observations {:.4f})", likelihood.total,
                                     likelihood.actions, likelihood.observations)},
      {"predicting actions",
       fmt::format("log-loss {}, Brier {}, AUROC {}, AUPRC {} ({} decisions after each patient's first)",
                   shown_number(evaluation.matching.log_loss), shown_number(evaluation.matching.brier),
                   shown_number(evaluation.matching.auroc), shown_number(evaluation.matching.auprc),
                   evaluation.matching.decisions)}};
  for (const auto& scores : evaluation.matching.actions) {
    rows.push_back({"  " + scores.action,
                    fmt::format("Brier {}, AUROC {}, AUPRC {} (taken {} times)", shown_number(scores.brier),
                                shown_number(scores.auroc), shown_number(scores.auprc), scores.decisions)});
  }
  if (evaluation.mismatch) {
    rows.push_back({"belief mismatch", times_thousand(evaluation.mismatch->belief)});
    rows.push_back({"policy mismatch", times_thousand(evaluation.mismatch->policy)});
  }
  if (evaluation.stopping_time) {
    const auto& stopping = *evaluation.stopping_time;
    rows.push_back(
        {"stopping-time error",
         stopping.independent
             ? fmt::format("{:.3f} steps with independent draws (the paper's), {:.3f} with common draws",
                           *stopping.independent, stopping.common.value_or(0.0))
             : stopping.undefined_because});
  }
  print_rows(rows);
}

}  // namespace

void add_evaluate(CLI::App& program, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  auto* verb =
      program.add_subcommand("evaluate", "Score a model on records, and against the truth where it is known");
  verb->add_option("--model", flags->request.model, "model file (JSON)")->required();
  add_data(*verb, flags->data);
  add_optional_study(*verb, flags->request.study);
  verb->add_option("--truth", flags->request.truth,
                   "model file of the true agent and world (from simulate --truth)");
  add_seed(*verb, flags->common);
  add_json(*verb, flags->common);
  add_quiet(*verb, flags->common);
  verb->footer(
      examples("  interpole evaluate --model model.json --data bias.csv\n"
               "  interpole evaluate --model model.json --data bias.csv --truth truth.json --json"));
  verb->callback([flags, &exit_code] {
    Console console(flags->common.quiet);
    EvaluateRequest request = flags->request;
    request.data = parse_data_files(flags->data);
    request.options.stopping_time.seed = flags->common.seed;
    const Evaluation evaluation = run_evaluate(request, console);
    if (flags->common.json) {
      fmt::print("{}\n", to_json(evaluation));
    } else {
      print_evaluation(evaluation);
    }
    exit_code = kOk;
  });
}

}  // namespace interpole::cli
