#include "interpole/server/http_server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <thread>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/files/gzip.hpp"
#include "interpole/error.hpp"
#include "interpole/server/connections.hpp"

namespace interpole::server {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A client that sends exactly the bytes it is told to.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    timeval patience{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }
  void send(const std::string& bytes) const { ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

  // Until `end` was received, or the server has closed. An empty end never is.
  std::string read_until(const std::string& end) {
    std::string text;
    char byte = 0;
    while ((end.empty() || !text.ends_with(end)) && ::recv(socket_, &byte, 1, 0) == 1) text += byte;
    return text;
  }
  std::string read_all() { return read_until(""); }

 private:
  int socket_;
  bool connected_ = false;
};

class HttpServerTest : public testing::Test {
 protected:
  HttpServerTest() {
    options_.token = "secret";
    routes_ = {{"GET", "/", true, [](const HttpRequest&) { return http_response(200, "text/html", "page"); }},
               {"POST", "/api/echo", false,
                [](const HttpRequest& request) {
                  return http_response(200, "text/plain", "[" + request.query + "|" + request.body + "]");
                }},
               {"GET", "/api/throw", false,
                [](const HttpRequest&) -> HttpResponse { throw runtime_error("it \"broke\""); }}};
  }

  void start() {
    server_.emplace(options_, routes_);
    server_->start();
  }

  std::string request(const std::string& line, const std::string& fields = "",
                      const std::string& body = "") const {
    return fmt::format("{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX-Interpole-Token: secret\r\n{}\r\n{}", line,
                       server_->port(), fields, body);
  }

  std::string exchange(const std::string& bytes) const {
    RawClient client(server_->port());
    client.send(bytes);
    return client.read_all();
  }

  HttpServerOptions options_;
  std::vector<HttpRoute> routes_;
  std::optional<HttpServer> server_;
};

constexpr char kClose[] = "Connection: close\r\n";

TEST_F(HttpServerTest, AnswersWithEveryProtectiveField) {
  start();
  const std::string reply = exchange(request("GET /", kClose));
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 200 OK\r\n"));
  for (const char* field :
       {"Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
        "Cross-Origin-Resource-Policy: same-origin", "X-Frame-Options: DENY",
        "Content-Security-Policy: default-src", "Content-Length: 4", "Content-Type: text/html", "Date: "}) {
    EXPECT_THAT(reply, HasSubstr(std::string("\r\n") + field));
  }
  EXPECT_THAT(reply, Not(HasSubstr("Access-Control")));
  EXPECT_TRUE(reply.ends_with("\r\n\r\npage"));
}

TEST_F(HttpServerTest, AnswersHeadWithoutABody) {
  start();
  const std::string reply = exchange(request("HEAD /", kClose));
  EXPECT_THAT(reply, HasSubstr("Content-Length: 4"));
  EXPECT_TRUE(reply.ends_with("\r\n\r\n"));
}

TEST_F(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  start();
  std::string all;
  for (int i = 0; i < 50; ++i) {
    const std::string body = fmt::format("body {}", i);
    all += request(fmt::format("POST /api/echo?{}", i), fmt::format("Content-Length: {}\r\n", body.size()),
                   body);
  }
  const std::string reply = exchange(all + request("GET /", kClose));
  std::size_t at = 0;
  for (int i = 0; i < 50; ++i) {
    at = reply.find(fmt::format("[{0}|body {0}]", i), at);
    ASSERT_NE(at, std::string::npos) << i;
  }
  EXPECT_TRUE(reply.ends_with("page"));
}

TEST_F(HttpServerTest, TakesBodiesUpToTheLimit) {
  options_.body = 10;
  start();
  const auto post = [&](const std::string& framing, const std::string& body) {
    return exchange(request("POST /api/echo", framing + "\r\n" + kClose, body));
  };
  EXPECT_TRUE(post("Content-Length: 10", "abcdefghij").ends_with("[|abcdefghij]"));
  EXPECT_TRUE(post("Content-Length: 0", "").ends_with("[|]"));
  EXPECT_THAT(post("Content-Length: 11", "abcdefghijk"), StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(post("Transfer-Encoding: chunked", "1\r\na\r\n0\r\n\r\n"), StartsWith("HTTP/1.1 411"));
}

TEST_F(HttpServerTest, TurnsAnExceptionIntoAnAnswer) {
  start();
  const std::string reply = exchange(request("GET /api/throw", kClose));
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 500"));
  EXPECT_TRUE(reply.ends_with("it \"broke\"\n")) << reply;
}

TEST_F(HttpServerTest, SendsTheCompressedBodyToThoseWhoAcceptIt) {
  const std::string text(10000, 'a');
  const auto plain = std::make_shared<const std::string>(text);
  const auto small = std::make_shared<const std::string>(base::gzip(text));
  routes_.push_back({"GET", "/big", true, [=](const HttpRequest&) {
                       return HttpResponse{200, "text/plain", plain, small};
                     }});
  start();
  EXPECT_TRUE(exchange(request("GET /big", kClose)).ends_with("\r\n\r\n" + text));
  const std::string reply = exchange(request("GET /big", std::string("Accept-Encoding: gzip\r\n") + kClose));
  EXPECT_THAT(reply, HasSubstr("Content-Encoding: gzip"));
  EXPECT_TRUE(reply.ends_with("\r\n\r\n" + *small));
}

TEST_F(HttpServerTest, CutsOffWhoIsTooSlow) {
  options_.head_time = 200ms;
  options_.idle_time = 200ms;
  options_.body_time = 200ms;
  start();
  for (const std::string& bytes :
       {std::string(), std::string("GET / HT"), request("POST /api/echo", "Content-Length: 5\r\n", "ab"),
        request("POST /api/echo", "Content-Length: 2\r\n", "ab")}) {
    const auto began = std::chrono::steady_clock::now();
    exchange(bytes);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s) << bytes;
  }
}

TEST_F(HttpServerTest, GivesEachHeadOneDeadlineHoweverItTrickles) {
  options_.head_time = 300ms;
  start();
  RawClient client(server_->port());
  const auto began = std::chrono::steady_clock::now();
  std::atomic<bool> closed = false;
  std::thread trickle([&] {
    for (int i = 0; i < 100 && !closed; ++i) {
      client.send("a");
      std::this_thread::sleep_for(50ms);
    }
  });
  client.read_all();
  closed = true;
  trickle.join();
  EXPECT_LT(std::chrono::steady_clock::now() - began, 3s);
}

TEST_F(HttpServerTest, SilentClientsGiveWay) {
  options_.connections = 4;
  options_.head_time = 60s;
  start();
  std::vector<std::unique_ptr<RawClient>> silent;
  for (int i = 0; i < 20; ++i) {
    silent.push_back(std::make_unique<RawClient>(server_->port()));
    silent.back()->send("GET /");
  }
  EXPECT_TRUE(exchange(request("GET /", kClose)).ends_with("page"));
  EXPECT_EQ(silent.front()->read_all(), "") << "the one silent for longest was cut off";
}

TEST_F(HttpServerTest, SlowAnswersDoNotHoldUpOthers) {
  std::atomic<bool> go_on = false;
  routes_.push_back({"GET", "/slow", true, [&](const HttpRequest&) {
                       while (!go_on) std::this_thread::sleep_for(5ms);
                       return http_response(200, "text/plain", "slow");
                     }});
  options_.answering_threads = 2;
  start();
  RawClient slow(server_->port());
  slow.send(request("GET /slow", kClose));
  EXPECT_TRUE(exchange(request("GET /", kClose)).ends_with("page"));
  go_on = true;
  EXPECT_TRUE(slow.read_all().ends_with("slow"));
}

TEST_F(HttpServerTest, StopsWithClientsConnected) {
  start();
  RawClient idle(server_->port());
  RawClient half(server_->port());
  half.send("GET / HTTP/1.1\r\nHo");
  RawClient kept(server_->port());
  kept.send(request("GET /"));
  kept.read_until("page");
  const std::uint16_t port = server_->port();
  server_->stop();
  server_->stop();
  EXPECT_FALSE(RawClient(port).connected());
  server_.reset();
  EXPECT_EQ(kept.read_all(), "");
}

TEST_F(HttpServerTest, SaysWhichPortIsTaken) {
  start();
  options_.port = server_->port();
  HttpServer second(options_, routes_);
  EXPECT_THAT(base::complaint_of([&] { second.start(); }, ErrorKind::kRuntime),
              HasSubstr(fmt::format("port {}", options_.port)));
}

TEST_F(HttpServerTest, NeedsAToken) {
  options_.token.clear();
  EXPECT_THROW(HttpServer(options_, routes_), Error);
}

class FakeConnection : public Connection {
 public:
  explicit FakeConnection(State state) { enter(state); }
  void dismiss() override { dismissed = true; }
  bool dismissed = false;
};

TEST(Connections, ThoseThatNeverSentARequestGiveWayFirstAndThoseBeingAnsweredNever) {
  using Phase = Connection::State;
  Connections connections(4);
  std::vector<std::shared_ptr<FakeConnection>> all;
  for (const Phase state : {Phase::kAnswering, Phase::kWriting, Phase::kIdle, Phase::kNew}) {
    all.push_back(std::make_shared<FakeConnection>(state));
    EXPECT_TRUE(connections.add(all.back()));
  }
  const auto busy = [] { return std::make_shared<FakeConnection>(Phase::kAnswering); };
  std::vector<std::shared_ptr<FakeConnection>> later;
  for (const std::size_t next : {3u, 2u, 1u}) {
    EXPECT_FALSE(all[next]->dismissed);
    later.push_back(busy());
    EXPECT_TRUE(connections.add(later.back()));
    EXPECT_TRUE(all[next]->dismissed) << next;
  }
  EXPECT_FALSE(connections.add(busy()));
  EXPECT_FALSE(all[0]->dismissed);
  for (const auto& connection : all) connections.remove(connection.get());
  EXPECT_TRUE(connections.add(busy())) << "there is room again";
}

}  // namespace
}  // namespace interpole::server
