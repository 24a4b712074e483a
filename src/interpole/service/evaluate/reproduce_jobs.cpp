#include "interpole/service/evaluate/reproduce_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>

#include "interpole/base/dealing/deal_tasks.hpp"
#include "interpole/base/files/exact_text.hpp"
#include "interpole/base/parallel.hpp"
#include "interpole/base/ranks/packet.hpp"
#include "interpole/base/ranks/ranks.hpp"
#include "interpole/base/stop.hpp"
#include "interpole/error.hpp"

namespace interpole::service {
namespace {

struct Job {
  int dataset = 0;
  int row = 0;
  int part = 0;
};

std::string numbers_text(const evaluate::TableRun& run) {
  base::ExactWriter out;
  out.line("scores");
  std::vector<double> scores;
  scores.reserve(run.scores.size());
  for (const auto& score : run.scores) scores.push_back(score.value_or(NAN));
  out.add(scores);
  out.line("converged").add(std::int64_t{run.converged});
  out.line("seconds").add(run.seconds);
  return out.take();
}

// The kept fits, by data set, row and part.
class Keeper {
 public:
  Keeper(const ReproducePlan& plan, base::Checkpoint* kept) : plan_(plan), kept_(kept) {}

  std::optional<evaluate::TableRun> recall(const Job& job) const {
    if (kept_ == nullptr) return {};
    const std::string name = name_of(job);
    const auto numbers = kept_->recall(name);
    if (!numbers) return {};
    const std::string place = fmt::format("{}: {}", kept_->path(), name);
    evaluate::TableRun run = from_numbers(*numbers, place);
    run.fit_note = kept_->recall(name + " how").value_or("");
    run.failure = kept_->recall(name + " failure").value_or("");
    return run;
  }

  evaluate::TableRun from_numbers(const std::string& numbers, const std::string& place) const {
    base::ExactReader in(numbers, place);
    evaluate::TableRun run;
    for (const double score : in.line("scores").numbers()) {
      if (std::isinf(score))
        throw input_error(place + ": a score is infinite; delete the file to begin anew");
      run.scores.push_back(std::isnan(score) ? std::nullopt : std::optional(score));
    }
    if (run.scores.size() != plan_.table.scores.size()) {
      throw input_error(fmt::format("{}: {} scores where the table has {}; delete the file to begin anew",
                                    place, run.scores.size(), plan_.table.scores.size()));
    }
    run.converged = in.line("converged").integer() != 0;
    run.seconds = in.line("seconds").number();
    in.expect_end();
    return run;
  }

  void keep(const Job& job, const evaluate::TableRun& run) {
    if (kept_ == nullptr) return;
    const std::string name = name_of(job);
    kept_->remember(name + " how", run.fit_note);
    kept_->remember(name + " failure", run.failure);
    kept_->remember(name, numbers_text(run));
    kept_->write();
  }

 private:
  std::string name_of(const Job& job) const {
    return fmt::format("{}.{} {}", job.dataset + 1, job.part + 1, plan_.rows[job.row].name);
  }

  const ReproducePlan& plan_;
  base::Checkpoint* kept_;
};

// Data sets are made when their first fit begins and dropped after their last.
class Datasets {
 public:
  Datasets(const ReproducePlan& plan, const std::vector<Job>& jobs) : plan_(plan), slots_(plan.datasets) {
    for (const Job& job : jobs) ++slots_[job.dataset].wanted;
  }

  std::shared_ptr<const evaluate::TableDataset> get(int dataset) {
    Slot& slot = slots_[dataset];
    const std::scoped_lock lock(slot.mutex);
    if (!slot.data) slot.data = std::make_shared<const evaluate::TableDataset>(plan_.dataset(dataset));
    std::shared_ptr<const evaluate::TableDataset> data = slot.data;
    if (--slot.wanted == 0) slot.data.reset();
    return data;
  }

  // One of its fits was done elsewhere.
  void leave(int dataset) {
    Slot& slot = slots_[dataset];
    const std::scoped_lock lock(slot.mutex);
    if (--slot.wanted == 0) slot.data.reset();
  }

 private:
  struct Slot {
    std::mutex mutex;
    int wanted = 0;  // fits to come
    std::shared_ptr<const evaluate::TableDataset> data;
  };
  const ReproducePlan& plan_;
  std::vector<Slot> slots_;
};

// Data set by data set, so that the time left can be told from what is done; in each, what takes longest
// first, so that threads end together.
std::vector<Job> all_jobs(const ReproducePlan& plan) {
  std::vector<int> order(plan.rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::ranges::stable_sort(order, std::greater{}, [&](int row) { return plan.rows[row].seconds; });
  std::vector<Job> jobs;
  for (int dataset = 0; dataset < plan.datasets; ++dataset) {
    for (const int row : order) {
      for (int part = 0; part < plan.parts; ++part) jobs.push_back({dataset, row, part});
    }
  }
  return jobs;
}

// Each worker takes the next job, so that they are begun in order. A stop or a failure ends all.
void on_threads(const std::vector<Job>& jobs, int threads, const std::function<void(const Job&)>& fit,
                const Sink& sink) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> ended = false;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size() && !ended && !sink.stop_requested(); i = next++)
      fit(jobs[i]);
  };
  const int workers = std::min(base::resolve_threads(threads), static_cast<int>(jobs.size()));
  base::parallel_tasks(workers, workers, [&](int) {
    try {
      work();
    } catch (const std::exception& failure) {
      ended = true;
      const auto* error = dynamic_cast<const Error*>(&failure);
      if (error == nullptr || error->kind() != ErrorKind::kInterrupted) throw;
    }
  });
}

}  // namespace

evaluate::TableDataset ReproducePlan::dataset(int dataset) const {
  const std::uint64_t own_seed = seed_of(dataset);
  if (table.against_truth) return simulated_diagnoses(table, study, patients, own_seed);
  if (!records.empty()) return evaluate::dealt(study, records, parts, own_seed);
  return evaluate::dealt(study, evaluate::simulated_adni_records(study, patients, own_seed), parts, own_seed);
}

std::vector<std::optional<evaluate::TableRun>> run_jobs(const ReproducePlan& plan, base::Checkpoint* kept,
                                                        Sink& sink) {
  std::vector<Job> jobs = all_jobs(plan);
  const auto total = static_cast<std::int64_t>(jobs.size());
  std::vector<std::optional<evaluate::TableRun>> runs(jobs.size());
  const auto run_of = [&](const Job& job) -> std::optional<evaluate::TableRun>& {
    return runs[(job.dataset * plan.rows.size() + job.row) * plan.parts + job.part];
  };
  Keeper keeper(plan, kept);
  std::erase_if(jobs, [&](const Job& job) { return (run_of(job) = keeper.recall(job)).has_value(); });
  std::atomic<std::int64_t> done = total - static_cast<std::int64_t>(jobs.size());
  if (done > 0) sink.note(fmt::format("{} of {} fits were done before", done.load(), total));

  Datasets datasets(plan, jobs);
  sink.progress("fits", done, total);
  const auto fit = [&](const Job& job) {
    const auto data = datasets.get(job.dataset);
    evaluate::TableRun run =
        evaluate::run_table_row(plan.table, plan.rows[job.row], *data, job.part, plan.study,
                                plan.truth ? &*plan.truth : nullptr, plan.scored, sink);
    keeper.keep(job, run);
    run_of(job) = std::move(run);
    sink.progress("fits", ++done, total);
  };
  if (base::ranks().size() == 1) {
    on_threads(jobs, plan.threads, fit, sink);
    return runs;
  }
  const auto fit_dealt = [&](int i) {
    try {
      base::stop_if_asked(sink, "stopped");
      fit(jobs[i]);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInterrupted) throw;
    }
  };
  const auto pack = [&](int i) {
    const auto& run = run_of(jobs[i]);
    if (!run) return std::string();
    return base::PacketWriter()
        .add(std::string_view(run->fit_note))
        .add(std::string_view(run->failure))
        .add(std::string_view(numbers_text(*run)))
        .take();
  };
  const auto unpack = [&](int i, const std::string& bytes) {
    base::PacketReader in(bytes);
    const std::string fit_note = in.text();
    const std::string failure = in.text();
    evaluate::TableRun run = keeper.from_numbers(in.text(), "a fit of another rank");
    run.fit_note = fit_note;
    run.failure = failure;
    keeper.keep(jobs[i], run);
    run_of(jobs[i]) = std::move(run);
    datasets.leave(jobs[i].dataset);
    sink.progress("fits", ++done, total);
  };
  base::deal_tasks(static_cast<int>(jobs.size()), plan.threads, fit_dealt, {pack, unpack});
  return runs;
}

}  // namespace interpole::service
