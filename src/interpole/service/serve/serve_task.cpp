#include "interpole/service/serve/serve_task.hpp"

#include <fmt/format.h>

#include <thread>

#include "interpole/error.hpp"
#include "interpole/report/explorer_page.hpp"
#include "interpole/server/http_server.hpp"
#include "interpole/server/token.hpp"
#include "interpole/service/explorer/group_comparisons.hpp"
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

// Fits, and shows the explorer's data of that fit.
void refit(const FitRequest& fit, ExplorerRequest explorer, GroupComparisons& groups,
           const std::function<void(std::string)>& show, Sink& sink) {
  const FitOutcome outcome = run_fit(fit, sink);
  if (outcome.summary.interrupted || sink.stop_requested()) throw Error(ErrorKind::kInterrupted, "stopped");
  sink.note("preparing the page");
  explorer.draws.clear();       // they are the first model's
  explorer.comparison.clear();  // so is this
  explorer.refit = true;
  show_explorer(explorer, outcome.result, groups, show, sink);
}

}  // namespace

void run_serve(const ServeRequest& request, Sink& sink) {
  ExplorerRequest explorer = request.explorer;
  explorer.made_by = "serve";
  explorer.can_refit = !explorer.study.empty();
  GroupComparisons groups;
  std::string first;
  explorer.validate();
  show_explorer(
      explorer, read_fit(explorer.model), groups, [&](std::string json) { first = std::move(json); }, sink);
  ServedData data(std::move(first));
  const FitRequest fit = fit_of(explorer);
  BackgroundFit background([&](const FitRequest& wanted, Sink& watcher) {
    const auto show = [&](std::string json) {
      data.show(std::move(json));
      background.tell_shown();
    };
    refit(wanted, explorer, groups, show, watcher);
  });
  server::HttpServerOptions options;
  options.port = request.port;
  options.token = server::new_token();
  server::HttpServer server(options, serve_routes(report::explorer_page(report::PageUse::kServe, ""), data,
                                                  background, explorer.can_refit, fit));
  server.start();
  if (request.ready)
    request.ready(fmt::format("http://127.0.0.1:{}/#token={}", server.port(), options.token));
  while (!sink.stop_requested()) std::this_thread::sleep_for(kPatience);
}

}  // namespace interpole::service
