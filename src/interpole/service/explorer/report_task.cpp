#include "interpole/service/explorer/report_task.hpp"

#include <fmt/format.h>

#include "interpole/base/files/atomic_file.hpp"
#include "interpole/base/number_text.hpp"
#include "interpole/error.hpp"
#include "interpole/report/explorer_page.hpp"
#include "interpole/report_page.hpp"
#include "interpole/service/run_files.hpp"

namespace interpole::service {
namespace {

std::string size_text(std::size_t bytes) {
  return bytes < 1'000'000 ? fmt::format("{:.0f} kB", static_cast<double>(bytes) / 1e3)
                           : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

void describe(const ReportRequest& request, const ExplorerDocument& document, std::size_t bytes, Sink& sink) {
  const bool individual = request.allow_individual;
  sink.note(fmt::format("{}{} patients {}, {} visits, {}; {}", document.sampled ? "a random part: " : "",
                        base::grouped(document.patients),
                        individual ? "by their identifiers" : "under pseudonyms",
                        base::grouped(document.visits), size_text(bytes),
                        individual ? "patients can be identified" : "nothing in it names a patient"));
  if (individual) {
    sink.warn(
        "option allow-individual: identifiers, visits and groups of single patients are in the file; "
        "treat it like the data themselves");
  }
}

}  // namespace

void run_report(const ReportRequest& request, Sink& sink) {
  if (request.output.empty() && request.payload.empty()) {
    throw usage_error("option output is required: the HTML file to write");
  }
  require_separate_files({{"option output", request.output},
                          {"option payload", request.payload},
                          {"option ledger", request.ledger}},
                         with_data({{"option model", request.model},
                                    {"option study", request.study},
                                    {"option draws", request.draws},
                                    {"option compare", request.comparison},
                                    {"option beside", request.beside}},
                                   request.data));
  const ExplorerDocument document = explorer_document(request, sink);
  const std::string page =
      request.output.empty() ? std::string() : report::explorer_page(report::PageUse::kReport, document.json);
  describe(request, document, request.output.empty() ? document.json.size() : page.size(), sink);
  // Single records are in it, if only under pseudonyms.
  const auto permissions = base::NewFile::kPrivate;
  if (!request.payload.empty()) base::write_file_atomically(request.payload, document.json, permissions);
  if (!request.output.empty()) base::write_file_atomically(request.output, page, permissions);
}

}  // namespace interpole::service

namespace interpole {

std::string report_html(const FitResult& fit, std::span<const Record> records, const ReportOptions& options,
                        Sink& sink) {
  tree_of_records(fit.model.structure, records);
  service::ExplorerRequest request;
  request.records = records;
  request.title = options.title;
  request.min_cell = options.min_cell;
  request.allow_individual = options.allow_individual;
  request.seed = options.seed;
  request.threads = options.threads;
  request.most_visits = options.most_visits;
  return report::explorer_page(report::PageUse::kReport, service::explorer_document(request, fit, sink).json);
}

}  // namespace interpole
