#include "interpole/environments/adni/adni_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "interpole/base/parallel.hpp"
#include "interpole/base/random.hpp"
#include "interpole/environments/adni/adni_row.hpp"
#include "interpole/environments/parted_table.hpp"
#include "interpole/error.hpp"

namespace interpole::environments {
namespace {

constexpr std::int64_t kMixed = 64;    // patients whose rows are mixed
constexpr std::int64_t kAtOnce = 128;  // such groups formatted before they are written: some 25 MB

// Some patients' rows, in the order in which they are written.
struct MixedRows {
  std::string text;
  AdniTableSummary summary;
};

class RowMixer {
 public:
  RowMixer(const Environment& environment, const SimulateOptions& options, AdniFormat format)
      : environment_(environment), options_(options), format_(format) {}

  void write(std::int64_t group, MixedRows& rows) {
    ordered_.clear();
    begins_.clear();
    rows.summary = {};
    const std::int64_t end = std::min(options_.patients, (group + 1) * kMixed);
    for (std::int64_t number = group * kMixed + 1; number <= end; ++number) {
      simulate_adni_patient(environment_, options_.seed, number, options_.longest, patient_);
      append_adni_rows(options_.seed, patient_, format_, ordered_, begins_);
      rows.summary.records += patient_.expected.empty() ? 0 : 1;
      rows.summary.decisions += static_cast<std::int64_t>(patient_.expected.size());
    }
    rows.summary.rows = static_cast<std::int64_t>(begins_.size());
    mix(group, rows.text);
  }

 private:
  void mix(std::int64_t group, std::string& text) {
    lines_.clear();
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const std::size_t end = i + 1 < begins_.size() ? begins_[i + 1] : ordered_.size();
      lines_.push_back(std::string_view(ordered_).substr(begins_[i], end - begins_[i]));
    }
    base::RandomStream random(options_.seed, static_cast<std::uint64_t>(group),
                              base::RandomPurpose::kAdniRows);
    for (std::size_t i = lines_.size(); i > 1; --i) {
      std::swap(lines_[i - 1], lines_[static_cast<std::size_t>(random.uniform() * static_cast<double>(i))]);
    }
    text.clear();
    for (const std::string_view line : lines_) text += line;
  }

  const Environment& environment_;
  const SimulateOptions& options_;
  AdniFormat format_;
  AdniPatient patient_;
  std::string ordered_;
  std::vector<std::size_t> begins_;
  std::vector<std::string_view> lines_;
};

}  // namespace

AdniFormat adni_format_named(const std::string& name) {
  if (name == "adnimerge") return AdniFormat::kAdnimerge;
  if (name == "tadpole") return AdniFormat::kTadpole;
  throw usage_error(fmt::format("there is no ADNI table format \"{}\"; choose adnimerge or tadpole", name));
}

AdniTableSummary write_adni_table(const std::string& path, const SimulateOptions& options, AdniFormat format,
                                  Sink& sink, std::int64_t rows_per_file) {
  options.validate();
  const Environment environment = adni();
  PartedTable file(path, adni_header(format), rows_per_file);
  AdniTableSummary total;
  const std::int64_t groups = (options.patients + kMixed - 1) / kMixed;
  std::vector<MixedRows> block(static_cast<std::size_t>(std::min(groups, kAtOnce)));
  for (std::int64_t done = 0; done < groups; done += kAtOnce) {
    if (sink.stop_requested()) {
      throw Error(ErrorKind::kInterrupted,
                  fmt::format("stopped after simulating {} of {} patients; nothing was kept", done * kMixed,
                              options.patients));
    }
    const std::int64_t size = std::min(kAtOnce, groups - done);
    base::parallel_tasks(static_cast<int>(size), options.threads, [&](int task) {
      RowMixer(environment, options, format).write(done + task, block[task]);
    });
    for (std::int64_t i = 0; i < size; ++i) {
      file.write(block[i].text, block[i].summary.rows);
      total.rows += block[i].summary.rows;
      total.records += block[i].summary.records;
      total.decisions += block[i].summary.decisions;
    }
    sink.progress("patients simulated", std::min(options.patients, (done + size) * kMixed), options.patients);
  }
  file.commit();
  return total;
}

}  // namespace interpole::environments
