#include "interpole/server/http_server.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <ctime>
#include <mutex>
#include <optional>
#include <thread>

#include "interpole/error.hpp"
#include "interpole/server/accepted_codings.hpp"
#include "interpole/server/connections.hpp"
#include "interpole/server/guard.hpp"

namespace interpole::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
using net::ip::tcp;

constexpr int kSocketThreads = 2;
constexpr std::size_t kReadSize = 4096;
// Left to itself the system buffers megabytes for each client that asks and does not read; filling them for
// hundreds would keep the others waiting.
constexpr int kSendBuffer = 1 << 17;
// What a refused client may still send before it is cut off. Closing at once would make the system drop the
// refusal too, if it comes with unread bytes.
constexpr std::size_t kMostDrained = 1 << 20;
constexpr auto kDrainTime = std::chrono::seconds(1);
constexpr auto kAcceptPause = std::chrono::milliseconds(50);

}  // namespace

// What sessions share. Has linkage, as HttpServer::Implementation has, of which it is a member.
struct Service {
  HttpServerOptions options;
  GuardRules rules;
  std::vector<HttpRoute> routes;
  std::shared_ptr<Connections> connections;
  net::thread_pool* answering = nullptr;
};

namespace {

// One connection: head, body, answer, and again. Everything but the answer itself runs on the session's
// strand.
class Session : public Connection, public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const Service& service)
      : stream_(std::move(socket)),
        service_(service),
        connections_(service.connections),
        buffer_(service.options.head.bytes + 4 * kReadSize) {}
  ~Session() override { connections_->remove(this); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() {
    net::dispatch(stream_.get_executor(), [self = shared_from_this()] {
      beast::error_code ignored;
      self->stream_.socket().set_option(tcp::no_delay(true), ignored);
      self->stream_.socket().set_option(net::socket_base::send_buffer_size(kSendBuffer), ignored);
      self->stream_.expires_after(self->service_.options.head_time);
      self->read_head();
    });
  }

  void dismiss() override {
    net::post(stream_.get_executor(), [self = shared_from_this()] {
      if (self->state() != State::kAnswering) self->stream_.close();
    });
  }

 private:
  void read_head() {
    reader_ = HeadReader(service_.options.head);
    look_at_head();
  }

  void look_at_head() {
    const auto bytes = buffer_.cdata();
    switch (reader_.look({static_cast<const char*>(bytes.data()), bytes.size()})) {
      case HeadReader::State::kMore:
        return read_more();
      case HeadReader::State::kRefused:
        return refuse(reader_.refusal());
      case HeadReader::State::kComplete:
        return take_head();
    }
  }

  void read_more() {
    stream_.async_read_some(buffer_.prepare(kReadSize),
                            [self = shared_from_this()](beast::error_code error, std::size_t count) {
                              if (error)
                                return;  // gone, too slow, or dismissed: the last reference ends the session
                              const bool first = self->buffer_.size() == 0;
                              self->buffer_.commit(count);
                              if (first && self->served_)
                                self->stream_.expires_after(self->service_.options.head_time);
                              self->look_at_head();
                            });
  }

  void take_head() {
    const auto admitted = admit(reader_.head(), service_.routes, service_.rules);
    if (const auto* refusal = std::get_if<HttpRefusal>(&admitted)) return refuse(*refusal);
    route_ = std::get<const HttpRoute*>(admitted);
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(service_.options.head.bytes));
    parser_->body_limit(std::max(route_->most_body, service_.options.body));
    stream_.expires_after(service_.options.body_time);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](beast::error_code error, std::size_t) { self->take_body(error); });
  }

  void take_body(beast::error_code error) {
    if (!error) return answer();
    const bool malformed = error.category() == make_error_code(http::error::body_limit).category() &&
                           error != http::error::end_of_stream && error != http::error::partial_message;
    if (malformed) refuse({400, "the body is not what the head says"});
  }

  void answer() {
    enter(State::kAnswering);
    const RequestHead& head = reader_.head();
    auto request = std::make_shared<const HttpRequest>(HttpRequest{head.method, std::string(head.path()),
                                                                   std::string(head.query()), head.fields,
                                                                   std::move(parser_->get().body())});
    net::post(*service_.answering, [self = shared_from_this(), request] {
      HttpResponse response = self->ask_route(*request);
      net::post(self->stream_.get_executor(), [self, response = std::move(response)]() mutable {
        self->write(std::move(response),
                    self->reader_.head().version_1_1 && self->parser_->get().keep_alive());
      });
    });
  }

  HttpResponse ask_route(const HttpRequest& request) const {
    try {
      return route_->answer(request);
    } catch (const std::exception& error) {
      return http_error(500, error.what());
    }
  }

  void refuse(const HttpRefusal& refusal) {
    HttpResponse response = http_error(refusal.status, refusal.sentence);
    if (!refusal.allow.empty()) response.fields.emplace_back("Allow", refusal.allow);
    write(std::move(response), false);
  }

  void write(HttpResponse response, bool keep_alive) {
    enter(State::kWriting);
    response_ = std::move(response);
    const RequestHead& head = reader_.head();
    const bool compressed =
        response_.gzipped != nullptr && accepts_gzip(head.field("accept-encoding").value_or(""));
    const HttpBody body = compressed ? response_.gzipped : response_.body;
    const std::size_t size = body ? body->size() : 0;
    reply_.emplace(static_cast<http::status>(response_.status), 11);
    set_fields(compressed);
    reply_->keep_alive(keep_alive);
    if (response_.status != 204) reply_->content_length(size);
    if (head.method != "HEAD" && size > 0) reply_->body() = {body->data(), size};
    response_.body = body;  // kept until written
    stream_.expires_after(service_.options.write_time);
    http::async_write(stream_, *reply_,
                      [self = shared_from_this(), keep_alive](beast::error_code error, std::size_t) {
                        if (error) return;
                        keep_alive ? self->next_request() : self->say_goodbye();
                      });
  }

  void set_fields(bool compressed) {
    reply_->set(http::field::date,
                fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::time(nullptr))));
    reply_->set(http::field::cache_control, "no-store");
    reply_->set("X-Content-Type-Options", "nosniff");
    reply_->set("Referrer-Policy", "no-referrer");
    reply_->set("Cross-Origin-Resource-Policy", "same-origin");
    reply_->set("Cross-Origin-Opener-Policy", "same-origin");
    reply_->set("X-Frame-Options", "DENY");
    reply_->set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    if (response_.body) reply_->set(http::field::content_type, response_.content_type);
    if (response_.gzipped) reply_->set(http::field::vary, "Accept-Encoding");
    if (compressed) reply_->set(http::field::content_encoding, "gzip");
    for (const auto& [name, value] : response_.fields) reply_->set(name, value);
  }

  void next_request() {
    reply_.reset();
    parser_.reset();
    response_ = {};
    served_ = true;
    enter(State::kIdle);
    stream_.expires_after(buffer_.size() > 0 ? service_.options.head_time : service_.options.idle_time);
    read_head();
  }

  void say_goodbye() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    enter(State::kNew);  // nothing more is expected of it
    stream_.expires_after(kDrainTime);
    drain(0);
  }

  void drain(std::size_t drained) {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(kReadSize),
                            [self = shared_from_this(), drained](beast::error_code error, std::size_t count) {
                              if (!error && drained + count < kMostDrained) self->drain(drained + count);
                            });
  }

  beast::tcp_stream stream_;
  const Service& service_;
  std::shared_ptr<Connections> connections_;
  beast::flat_buffer buffer_;
  HeadReader reader_;
  const HttpRoute* route_ = nullptr;
  std::optional<http::request_parser<http::string_body>> parser_;
  HttpResponse response_;
  std::optional<http::response<http::span_body<const char>>> reply_;
  bool served_ = false;
};

}  // namespace

class HttpServer::Implementation {
 public:
  Implementation(HttpServerOptions options, std::vector<HttpRoute> routes)
      : sockets_(kSocketThreads),
        answering_(options.answering_threads),
        acceptor_(sockets_),
        pause_(sockets_) {
    service_.connections = std::make_shared<Connections>(options.connections);
    service_.options = std::move(options);
    service_.routes = std::move(routes);
    service_.answering = &answering_;
  }

  ~Implementation() { stop(); }

  void start() {
    listen();
    port_ = acceptor_.local_endpoint().port();
    service_.rules = {port_, service_.options.token, service_.options.body};
    accept();
    for (int i = 0; i < kSocketThreads; ++i) threads_.emplace_back([this] { serve(); });
  }

  void stop() {
    const std::scoped_lock lock(stopping_);
    sockets_.stop();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    answering_.stop();
    answering_.join();
    beast::error_code ignored;
    acceptor_.close(ignored);
  }

  std::uint16_t port() const { return port_; }

 private:
  void listen() {
    const std::uint16_t wanted = service_.options.port;
    try {
      acceptor_.open(tcp::v4());
      acceptor_.set_option(net::socket_base::reuse_address(true));
      acceptor_.bind({net::ip::address_v4::loopback(), wanted});
      acceptor_.listen();
    } catch (const std::exception& error) {
      throw runtime_error(fmt::format("port {} of 127.0.0.1 cannot be had ({}); choose another, or 0 for any",
                                      wanted, error.what()));
    }
  }

  // An exception ends the connection it came from, not the server.
  void serve() {
    while (!sockets_.stopped()) {
      try {
        sockets_.run();
      } catch (const std::exception&) {
        continue;
      }
    }
  }

  void accept() {
    acceptor_.async_accept(net::make_strand(sockets_), [this](beast::error_code error, tcp::socket socket) {
      if (error) return accept_later();  // most likely no file descriptors are left
      auto session = std::make_shared<Session>(std::move(socket), service_);
      if (service_.connections->add(session)) session->start();
      accept();
    });
  }

  void accept_later() {
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([this](beast::error_code error) {
      if (!error) accept();
    });
  }

  net::io_context sockets_;
  Service service_;
  net::thread_pool answering_;
  tcp::acceptor acceptor_;
  net::steady_timer pause_;
  std::uint16_t port_ = 0;
  std::vector<std::thread> threads_;
  std::mutex stopping_;
};

void HttpServerOptions::validate() const {
  if (token.empty()) throw usage_error("a server needs a token; see new_token()");
  if (connections < 1 || answering_threads < 1) {
    throw usage_error("a server needs at least one connection and one thread that answers");
  }
}

HttpServer::HttpServer(HttpServerOptions options, std::vector<HttpRoute> routes) {
  options.validate();
  implementation_ = std::make_unique<Implementation>(std::move(options), std::move(routes));
}

HttpServer::~HttpServer() = default;

void HttpServer::start() {
  implementation_->start();
}

std::uint16_t HttpServer::port() const {
  return implementation_->port();
}

void HttpServer::stop() {
  implementation_->stop();
}

}  // namespace interpole::server
