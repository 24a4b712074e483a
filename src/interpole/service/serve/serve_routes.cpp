#include "interpole/service/serve/serve_routes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "interpole/base/files/gzip.hpp"
#include "interpole/base/json/strict_json.hpp"
#include "interpole/error.hpp"
#include "interpole/service/serve/commands.hpp"

namespace interpole::service {
namespace {

constexpr char kJson[] = "application/json";
constexpr double kMostRestarts = 1000;
constexpr double kMostSeed = 9007199254740992;  // 2⁵³: what JSON carries exactly

// The page says in its own head what it may do. Said by the server it also holds for what a page cannot say
// of itself: who may frame it.
std::string policy_of(const std::string& page) {
  constexpr std::string_view kBefore = R"(http-equiv="Content-Security-Policy" content=")";
  const auto found = page.find(kBefore);
  if (found == std::string::npos) return "default-src 'none'; frame-ancestors 'none'";
  const auto begin = found + kBefore.size();
  return page.substr(begin, page.find('"', begin) - begin) + "; frame-ancestors 'none'";
}

int whole_number(simdjson::dom::element value, const base::JsonPlace& place, double least, double most) {
  const double number = base::json_number(value, place);
  if (number < least || number > most || number != std::floor(number)) {
    throw input_error(
        fmt::format("{}: {} is not a whole number from {} to {}", place.text(), number, least, most));
  }
  return static_cast<int>(number);
}

std::uint64_t seed_of(simdjson::dom::element value, const base::JsonPlace& place) {
  const double number = base::json_number(value, place);
  if (number < 0 || number > kMostSeed || number != std::floor(number)) {
    throw input_error(fmt::format("{}: {} is not a whole number from 0 to 2^53", place.text(), number));
  }
  return static_cast<std::uint64_t>(number);
}

server::HttpResponse start_fit(const server::HttpRequest& asked, BackgroundFit& fit, const FindBasis& find) {
  if (fit.status().state == FitStatus::State::kRunning)
    return server::http_error(409, "a fit is running; stop it first, or wait for its end");
  FitRequest wanted;
  std::string command;
  try {
    const std::optional<FitBasis> basis = find();
    if (!basis) return server::http_error(409, "fitting needs a study: start " + command_with_study());
    wanted = asked_fit(asked.body, basis->request);
    command = command_of(asked_fit(asked.body, basis->shown));
  } catch (const Error& error) {
    return server::http_error(400, error.what());
  }
  if (!fit.start(wanted, command))
    return server::http_error(409, "a fit is running; stop it first, or wait for its end");
  return server::http_response(202, kJson, to_json(fit.status()));
}

server::HttpResponse stop_fit(ServedData& data, BackgroundFit& fit) {
  if (fit.forget()) {
    data.show_first();
  } else {
    fit.stop();
  }
  return server::http_response(200, kJson, to_json(fit.status()));
}

}  // namespace

server::HttpResponse served_document(const std::string& content_type, std::string text) {
  server::HttpResponse response;
  response.content_type = content_type;
  response.gzipped = std::make_shared<const std::string>(base::gzip(text));
  response.body = std::make_shared<const std::string>(std::move(text));
  return response;
}

void ServedData::begin_with(std::string json) {
  server::HttpResponse response = served_document(kJson, std::move(json));
  const std::scoped_lock lock(mutex_);
  first_ = response;
  shown_ = std::move(response);
}

void ServedData::show(std::string json) {
  server::HttpResponse response = served_document(kJson, std::move(json));
  const std::scoped_lock lock(mutex_);
  shown_ = std::move(response);
}

void ServedData::show_first() {
  const std::scoped_lock lock(mutex_);
  shown_ = first_;
}

server::HttpResponse ServedData::response() const {
  const std::scoped_lock lock(mutex_);
  return shown_;
}

FitRequest asked_fit(const std::string& body, FitRequest request) {
  simdjson::dom::parser parser;
  const std::string name = "the body";
  const base::JsonPlace place(name);
  for (const auto [key, value] : base::json_object(base::parse_json(parser, body, name), place)) {
    const base::JsonPlace at = place.at(key);
    if (key == "dynamics") {
      request.options.dynamics = dynamics_mode_named(base::json_text(value, at));
    } else if (key == "restarts") {
      request.options.restarts = whole_number(value, at, 1, kMostRestarts);
    } else if (key == "seed") {
      request.options.seed = seed_of(value, at);
    } else if (key == "states") {
      throw input_error(at.text() + ": the study names the states; to compare numbers of states use " +
                        command_of_states());
    } else {
      throw input_error(at.text() + ": not known; choose dynamics, restarts or seed");
    }
  }
  return request;
}

std::vector<server::HttpRoute> serve_routes(const std::string& page, ServedData& data, BackgroundFit& fit,
                                            const FindBasis& basis, bool builder) {
  server::HttpResponse html = served_document("text/html; charset=utf-8", page);
  html.fields.emplace_back("Content-Security-Policy", policy_of(page));
  return {
      {"GET", "/", true, [html](const server::HttpRequest&) { return html; }},
      {"GET", "/favicon.ico", true,
       [](const server::HttpRequest&) {
         return server::HttpResponse{204, "", nullptr, nullptr};
       }},
      {"GET", "/api/session", false,
       [builder](const server::HttpRequest&) {
         return server::http_response(200, kJson, builder ? R"({"builder":true})" : R"({"builder":false})");
       }},
      {"GET", "/api/data", false, [&data](const server::HttpRequest&) { return data.response(); }},
      {"GET", "/api/fit", false,
       [&fit](const server::HttpRequest&) {
         return server::http_response(200, kJson, to_json(fit.status()));
       }},
      {"POST", "/api/fit", false,
       [&fit, basis](const server::HttpRequest& asked) { return start_fit(asked, fit, basis); }},
      {"DELETE", "/api/fit", false,
       [&data, &fit](const server::HttpRequest&) { return stop_fit(data, fit); }},
  };
}

}  // namespace interpole::service
