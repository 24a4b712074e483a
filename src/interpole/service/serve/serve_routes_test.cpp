#include "interpole/service/serve/serve_routes.hpp"

#include <gmock/gmock.h>

#include <atomic>

#include "interpole/error.hpp"
#include "interpole/service/serve/commands.hpp"

namespace interpole::service {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using State = FitStatus::State;

constexpr char kPage[] =
    R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src 'self'" /><p>page)";

FitRequest fit_request(const std::string& study, const DataFiles& data) {
  FitRequest request;
  request.study = study;
  request.data = data;
  request.output = "out.json";
  return request;
}

State wait_for_end(const BackgroundFit& fit) {
  for (int i = 0; i < 1000 && fit.status().state == State::kRunning; ++i) std::this_thread::sleep_for(5ms);
  return fit.status().state;
}

// Work that goes on until it is told to stop, or let go.
struct Patient {
  std::atomic<bool> go = false;
  void operator()(const FitRequest&, Sink& sink) {
    sink.progress("restarts", 1, 2);
    sink.warn("careful");
    while (!go) {
      if (sink.stop_requested()) throw Error(ErrorKind::kInterrupted, "");
      std::this_thread::sleep_for(1ms);
    }
  }
};

class ServeRoutes : public testing::Test {
 protected:
  ServeRoutes() { data_.begin_with("first"); }

  server::HttpResponse ask(const std::string& method, const std::string& path, const std::string& body = "") {
    const auto routes = serve_routes(kPage, data_, fit_, basis_);
    for (const server::HttpRoute& route : routes) {
      if (route.method == method && route.path == path) return route.answer({method, path, "", {}, body});
    }
    return server::http_error(404, "no such route");
  }

  Patient work_;
  ServedData data_;
  BackgroundFit fit_{[this](const FitRequest& request, Sink& sink) {
    work_(request, sink);
    data_.show("second");
  }};
  bool can_fit_ = true;
  FitRequest request_ = fit_request("my study.toml", data_file("a.csv"));
  FindBasis basis_ = [this] { return can_fit_ ? std::optional(FitBasis{request_, request_}) : std::nullopt; };
};

TEST_F(ServeRoutes, OnlyThePageIsOpen) {
  for (const server::HttpRoute& route : serve_routes(kPage, data_, fit_, basis_)) {
    EXPECT_EQ(route.open, route.path == "/" || route.path == "/favicon.ico") << route.path;
  }
}

TEST_F(ServeRoutes, SayThePagesOwnPolicyAndThatNobodyMayFrameIt) {
  const server::HttpResponse page = ask("GET", "/");
  ASSERT_EQ(page.fields.size(), 1u);
  EXPECT_EQ(page.fields[0].second, "default-src 'none'; connect-src 'self'; frame-ancestors 'none'");
}

TEST_F(ServeRoutes, ShowAFitWhenItIsDoneAndTheFirstModelAgainWhenItIsForgotten) {
  EXPECT_EQ(ask("POST", "/api/fit", R"({"dynamics":"shared","restarts":3,"seed":7})").status, 202);
  EXPECT_EQ(ask("POST", "/api/fit", "{}").status, 409);
  for (int i = 0; i < 1000 && fit_.status().warnings.empty(); ++i) std::this_thread::sleep_for(5ms);
  const std::string running = *ask("GET", "/api/fit").body;
  EXPECT_THAT(running, HasSubstr(R"("state":"running")"));
  EXPECT_THAT(running, HasSubstr(R"("progress":0.2)"));
  EXPECT_THAT(running, HasSubstr(R"("warnings":["careful"])"));
  EXPECT_EQ(*ask("GET", "/api/data").body, "first");
  work_.go = true;
  EXPECT_EQ(wait_for_end(fit_), State::kDone);
  EXPECT_EQ(fit_.status().progress, 1.0);
  EXPECT_EQ(*ask("GET", "/api/data").body, "second");
  EXPECT_EQ(ask("DELETE", "/api/fit").status, 200);
  EXPECT_EQ(fit_.status().state, State::kIdle);
  EXPECT_EQ(*ask("GET", "/api/data").body, "first");
}

TEST_F(ServeRoutes, StopAFit) {
  EXPECT_EQ(ask("POST", "/api/fit", "{}").status, 202);
  EXPECT_EQ(ask("DELETE", "/api/fit").status, 200);
  EXPECT_EQ(wait_for_end(fit_), State::kStopped);
  EXPECT_EQ(*ask("GET", "/api/data").body, "first");
  EXPECT_EQ(ask("POST", "/api/fit", "{}").status, 202) << "another may follow";
}

TEST_F(ServeRoutes, RefuseFitsThatAreNotOne) {
  for (const char* body :
       {"", "[]", "{", R"({"restarts":0})", R"({"restarts":1.5})", R"({"restarts":1001})",
        R"({"restarts":"3"})", R"({"seed":-1})", R"({"seed":1e300})", R"({"dynamics":"free"})",
        R"({"dynamics":null})", R"({"output":"/etc/passwd"})", R"({"states":3})", R"({"seed":1,"seed":2})"}) {
    const server::HttpResponse response = ask("POST", "/api/fit", body);
    EXPECT_EQ(response.status, 400) << body;
    EXPECT_GT(response.body->size(), 20u) << body;
  }
  EXPECT_EQ(fit_.status().state, State::kIdle);
  can_fit_ = false;
  const server::HttpResponse response = ask("POST", "/api/fit", "{}");
  EXPECT_EQ(response.status, 409);
  EXPECT_THAT(*response.body, HasSubstr("--study"));
}

TEST(AskedFit, ChangesOnlyWhatThePageMayChoose) {
  const FitRequest base = fit_request("s.toml", data_file("a.csv"));
  const FitRequest asked =
      asked_fit(R"({"dynamics":"subjective","restarts":4,"seed":9007199254740992})", base);
  EXPECT_EQ(asked.options.dynamics, DynamicsMode::kSubjective);
  EXPECT_EQ(asked.options.restarts, 4);
  EXPECT_EQ(asked.options.seed, 9007199254740992u);
  EXPECT_EQ(asked.output, "out.json");
  EXPECT_EQ(asked_fit("{}", base).options.restarts, learn::FitOptions().restarts);
}

TEST(CommandOf, CanBePastedIntoAShell) {
  FitRequest request = fit_request("it's here.toml", {{{"north", "n.csv"}, {"", "$(rm x).csv"}}});
  request.options.restarts = 4;
  EXPECT_EQ(
      command_of(request),
      "interpole fit --study 'it'\\''s here.toml' --data north=n.csv --data '$(rm x).csv' --dynamics coupled "
      "--restarts 4 --seed 1 --output model.json");
}

TEST(BackgroundFit, SaysWhatWentWrong) {
  BackgroundFit fit([](const FitRequest&, Sink&) { throw input_error("visits.csv: row 3: no such state"); });
  EXPECT_TRUE(fit.start({}, ""));
  EXPECT_EQ(wait_for_end(fit), State::kFailed);
  EXPECT_EQ(fit.status().message, "visits.csv: row 3: no such state");
}

TEST(BackgroundFit, SaysThatItsResultIsShownBeforeItHasEnded) {
  Patient rest;
  BackgroundFit fit([&](const FitRequest& request, Sink& sink) {
    if (request.options.seed == 1) fit.tell_shown();
    rest(request, sink);
  });
  EXPECT_FALSE(fit.status().shown);
  EXPECT_TRUE(fit.start({}, ""));
  for (int i = 0; i < 1000 && fit.status().warnings.empty(); ++i) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(fit.status().state, State::kRunning);
  EXPECT_THAT(to_json(fit.status()), HasSubstr(R"("shown":true)"));
  fit.stop();
  EXPECT_EQ(wait_for_end(fit), State::kStopped);
  FitRequest another;
  another.options.seed = 2;
  EXPECT_TRUE(fit.start(another, ""));
  EXPECT_FALSE(fit.status().shown) << "that was the fit before";
}

// Nobody knows how many stages there will be: the bar moves in each of them, and is not full before the end.
TEST(BackgroundFit, MovesInEveryStage) {
  std::vector<double> seen;
  BackgroundFit fit([&](const FitRequest&, Sink& sink) {
    for (const char* stage : {"restarts", "coupling", "intervals"}) {
      for (int done = 0; done <= 2; ++done) {
        sink.progress(stage, done, 2);
        seen.push_back(fit.status().progress);
      }
    }
  });
  EXPECT_TRUE(fit.start({}, ""));
  EXPECT_EQ(wait_for_end(fit), State::kDone);
  ASSERT_EQ(seen.size(), 9u);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const bool stage_begins = i % 3 == 0;
    EXPECT_EQ(seen[i] > seen[i - 1], !stage_begins);
    EXPECT_GE(seen[i], seen[i - 1]);
  }
  EXPECT_LT(seen.back(), 1.0);
  EXPECT_EQ(fit.status().progress, 1.0);
}

TEST(BackgroundFit, EndsWithItsOwner) {
  Patient work;
  BackgroundFit fit([&](const FitRequest& request, Sink& sink) { work(request, sink); });
  EXPECT_TRUE(fit.start({}, ""));
}

}  // namespace
}  // namespace interpole::service
