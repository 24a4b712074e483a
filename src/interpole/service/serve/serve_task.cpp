#include "interpole/service/serve/serve_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <thread>

#include "interpole/error.hpp"
#include "interpole/report/explorer_page.hpp"
#include "interpole/server/http_server.hpp"
#include "interpole/server/token.hpp"
#include "interpole/service/explorer/group_comparisons.hpp"
#include "interpole/service/serve/builder_routes.hpp"
#include "interpole/service/serve/serve_routes.hpp"

namespace interpole::service {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(100);  // how soon a stop is noticed

FitRequest fit_of(const ExplorerRequest& explorer) {
  FitRequest request;
  request.study = explorer.study;
  request.data = explorer.data;
  request.options.threads = explorer.threads;
  request.options.policy = PolicyUse::kAuto;  // as `fit` does
  return request;
}

std::optional<FitBasis> given_basis(const ExplorerRequest& explorer) {
  if (explorer.study.empty()) return std::nullopt;
  return FitBasis{fit_of(explorer), fit_of(explorer)};
}

std::optional<FitBasis> built_basis(StudyBuilder& builder, ExplorerRequest explorer) {
  const std::optional<BuiltFiles> files = builder.files();
  if (!files) return std::nullopt;
  explorer.study = files->study;
  explorer.data = files->data;
  FitBasis basis{fit_of(explorer), {}};
  explorer.study = files->study_name;
  explorer.data = data_file(files->table_name);
  basis.shown = fit_of(explorer);
  return basis;
}

void require_way_in(const ServeRequest& request) {
  const ExplorerRequest& explorer = request.explorer;
  if (explorer.model.empty()) {
    if (!explorer.study.empty() || !explorer.data.tables.empty()) {
      throw usage_error(
          "option model: a study and data are shown with the model that was fitted to them; fit one first, "
          "or "
          "give option table alone to build a study from a table");
    }
    return;
  }
  if (!request.table.empty())
    throw usage_error(
        "option table: it is for building a study, which needs no model; leave one of them out");
  if (explorer.data.tables.empty())
    throw usage_error("option data: a model is shown with the data it is looked at with; give them");
}

// Fits, and shows the explorer's data of that fit.
void refit(const FitRequest& fit, ExplorerRequest explorer, GroupComparisons& groups,
           const std::function<void(std::string)>& show, Sink& sink) {
  const FitOutcome outcome = run_fit(fit, sink);
  if (outcome.summary.interrupted || sink.stop_requested()) throw Error(ErrorKind::kInterrupted, "stopped");
  sink.note("preparing the page");
  explorer.draws.clear();       // they are the first model's
  explorer.comparison.clear();  // so is this
  show_explorer(explorer, outcome.result, groups, show, sink);
}

}  // namespace

void run_serve(const ServeRequest& request, Sink& sink) {
  ExplorerRequest explorer = request.explorer;
  explorer.made_by = "serve";
  explorer.validate();
  require_way_in(request);
  GroupComparisons groups;
  ServedData data;
  std::optional<StudyBuilder> builder;
  if (explorer.model.empty()) {
    request.table.empty() ? builder.emplace() : builder.emplace(request.table);
    explorer.can_refit = true;
  } else {
    explorer.can_refit = !explorer.study.empty();
    std::string first;
    show_explorer(
        explorer, read_fit(explorer.model), groups, [&](std::string json) { first = std::move(json); }, sink);
    data.begin_with(std::move(first));
  }
  BackgroundFit background([&](const FitRequest& wanted, Sink& watcher) {
    const auto show = [&](std::string json) {
      data.show(std::move(json));
      background.tell_shown();
    };
    ExplorerRequest asked = explorer;
    asked.study = wanted.study;
    asked.data = wanted.data;
    asked.refit = !builder;  // there is no model file to go back to
    refit(wanted, asked, groups, show, watcher);
  });
  const FindBasis basis = [&]() -> std::optional<FitBasis> {
    return builder ? built_basis(*builder, explorer) : given_basis(explorer);
  };
  server::HttpServerOptions options;
  options.port = request.port;
  options.token = server::new_token();
  std::vector<server::HttpRoute> routes = serve_routes(report::explorer_page(report::PageUse::kServe, ""),
                                                       data, background, basis, builder.has_value());
  if (builder) std::ranges::move(builder_routes(*builder), std::back_inserter(routes));
  server::HttpServer server(options, std::move(routes));
  server.start();
  if (request.ready)
    request.ready(fmt::format("http://127.0.0.1:{}/#token={}", server.port(), options.token));
  while (!sink.stop_requested()) std::this_thread::sleep_for(kPatience);
}

}  // namespace interpole::service
