// Who recovers whose policy? Decision-makers whose policies are known at every history and, but for one, are
// not ours: learners are fitted to their records, and the mean KL divergence from the true policy is taken at
// histories of fresh patients.
//
//   build/known_policies [--sets 5] [--patients 300] [--actions 2,4,8] [--learners a,b,c] [--states 3]
//                        [--seed 1] [--threads 0] [--restarts 0] [MAKER …]
//
// A set is other weights of the decision-maker, another world and other patients. Every fit runs on one
// thread; sets run side by side. Means over sets with a 95% interval (Student's t); seconds are processor
// time of one fit.

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "interpole/base/dealing/processor_time.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/environments/agents/decision_maker.hpp"
#include "interpole/error.hpp"
#include "interpole/evaluate/paper/over_datasets.hpp"
#include "interpole/learners/registry/registry.hpp"

namespace interpole {
namespace {

constexpr int kFreshPatients = 500;
constexpr std::uint64_t kFreshSeeds = 1'000'000;

struct Setting {
  int sets = 5;
  int patients = 300;
  int states = 3;
  std::uint64_t seed = 1;
  int threads = 0;
  int restarts = 0;  // of INTERPOLE; 0: its default
  std::vector<int> actions;
  std::vector<std::string> learners = {"interpole",
                                       "interpole-shared",
                                       "interpole-terms",
                                       "po-mb-il",
                                       "r-bc",
                                       "recurrent-tree",
                                       "contextual",
                                       "irl",
                                       "mb-il",
                                       "gail",
                                       "bc",
                                       "logistic",
                                       "previous-action",
                                       "majority"};
};

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Setting setting_of(const Arguments& arguments) {
  Setting setting;
  setting.sets = arguments.number("--sets", setting.sets);
  setting.patients = arguments.number("--patients", setting.patients);
  setting.states = arguments.number("--states", setting.states);
  setting.seed = arguments.number("--seed", setting.seed);
  setting.threads = arguments.number("--threads", setting.threads);
  setting.restarts = arguments.number("--restarts", setting.restarts);
  const std::string learners = arguments.text("--learners", "");
  if (!learners.empty()) setting.learners = listed(learners);
  setting.actions.clear();
  for (const std::string& number : listed(arguments.text("--actions", "2,4,8"))) {
    setting.actions.push_back(std::stoi(number));
  }
  return setting;
}

std::vector<Record> patients_of(const environments::DecisionMaker& maker, int count, std::uint64_t seed) {
  std::vector<Record> records;
  for (int patient = 1; patient <= count; ++patient)
    records.push_back(environments::met_by(maker, seed, patient));
  return records;
}

// Everything is to be learned; the policy may follow the covariates.
DecisionProblem open_problem(const environments::DecisionMaker& maker, int states) {
  Structure structure = maker.structure;
  structure.states.resize(states);
  for (int s = 0; s < states; ++s) structure.states[s] = fmt::format("state{}", s + 1);
  DecisionProblem problem = DecisionProblem::open(structure);
  problem.known.policy.terms.covariates = maker.covariates;
  for (const PolicyCovariate& covariate : maker.covariates) problem.policy.context.push_back(covariate.name);
  return problem;
}

struct Fit {
  double divergence = 0.0;
  double seconds = 0.0;
  bool converged = true;
  std::string failure;
};

Fit fit_one(const learners::Learner& learner, const environments::DecisionMaker& maker,
            const Setting& setting, std::uint64_t seed) {
  const std::vector<Record> records = patients_of(maker, setting.patients, seed);
  const std::vector<Record> fresh = patients_of(maker, kFreshPatients, seed + kFreshSeeds);
  const int A = maker.structure.action_count();
  const HistoryTree train = build_history_tree(A, records);
  const HistoryTree test = build_history_tree(A, fresh, true, RecordClasses::kApart);
  const DecisionProblem problem = open_problem(maker, setting.states);
  Fit result;
  try {
    const double begin = base::thread_seconds();
    learners::LearnerOptions options{seed, 1, {}};
    if (setting.restarts > 0 && learner.name().starts_with("interpole")) {
      options.set.emplace_back("restarts", setting.restarts);
    }
    const auto fitted = learner.fit(train, problem, options, quiet_sink());
    result.seconds = base::thread_seconds() - begin;
    result.converged = fitted->converged();
    const auto policies = fitted->policies(test);
    const auto truth = environments::true_policies(maker, test, fresh);
    double sum = 0.0;
    for (std::size_t at = 0; at < truth.size(); ++at) {
      const auto decisions = static_cast<double>(test.decisions_at(static_cast<int>(at / A)));
      if (decisions > 0.0 && truth[at] > 0.0) {
        sum += decisions * truth[at] * (std::log(truth[at]) - std::log(policies[at]));
      }
    }
    result.divergence = sum / static_cast<double>(test.decisions);
  } catch (const Error& error) {
    result.failure = error.what();
  }
  return result;
}

void run_maker(const Setting& setting, const std::string& name, int actions) {
  const auto learners = static_cast<int>(setting.learners.size());
  std::vector<Fit> fits(static_cast<std::size_t>(learners) * setting.sets);
  base::parallel_tasks(learners * setting.sets, setting.threads, [&](int task) {
    const std::uint64_t seed = setting.seed + task % setting.sets;
    const auto maker = environments::decision_maker(name, actions, seed);
    fits[task] =
        fit_one(learners::learner_named(setting.learners[task / setting.sets]), maker, setting, seed);
  });
  for (int l = 0; l < learners; ++l) {
    std::vector<double> values;
    double seconds = 0.0;
    int doubtful = 0;
    std::string failure;
    for (int set = 0; set < setting.sets; ++set) {
      const Fit& fit = fits[static_cast<std::size_t>(l) * setting.sets + set];
      if (!fit.failure.empty()) {
        failure = fit.failure;
        continue;
      }
      values.push_back(1e3 * fit.divergence);
      seconds += fit.seconds / setting.sets;
      doubtful += fit.converged ? 0 : 1;
    }
    const auto over = evaluate::over_datasets(values, 0.0, INFINITY);
    std::string shown = "–";
    if (over.mean) shown = fmt::format("{:.1f}", *over.mean);
    if (over.interval) shown += fmt::format(" [{:.1f}, {:.1f}]", over.interval->low, over.interval->high);
    fmt::print("{:<15} {:>3}  {:<18} {:>26} {:>9.2f}{}{}\n", name, actions, setting.learners[l], shown,
               seconds,
               doubtful > 0 ? fmt::format("  {} of {} did not converge", doubtful, setting.sets) : "",
               failure.empty() ? "" : "  " + failure);
  }
  std::fflush(stdout);
}

void run_all(int argc, char** argv) {
  const Arguments arguments(
      argc, argv,
      {"--sets", "--patients", "--states", "--seed", "--threads", "--restarts", "--learners", "--actions"});
  const Setting setting = setting_of(arguments);
  fmt::print(
      "{} sets of {} patients; KL from the true policy, thousandths of a nat per decision, mean [95%]{}\n\n",
      setting.sets, setting.patients,
      setting.restarts > 0 ? fmt::format("; INTERPOLE: {} restarts", setting.restarts) : "");
  fmt::print("{:<15} {:>3}  {:<18} {:>26} {:>9}\n", "decides", "A", "learner", "KL ×10³", "seconds");
  for (const std::string& name : environments::decision_maker_names()) {
    if (!arguments.wants(name)) continue;
    for (const int actions : setting.actions) run_maker(setting, name, actions);
  }
}

}  // namespace
}  // namespace interpole

int main(int argc, char** argv) {
  return interpole::exit_code_of([&] { interpole::run_all(argc, argv); });
}
