// A local HTTP/1.1 server that is hard to upset: it listens on 127.0.0.1 only, takes nothing unusual, gives
// every client a deadline, and never holds more than a few kilobytes for one that has not been admitted.
//
// Sockets are served by two threads that never block; routes are answered by others. A slow or silent client
// costs one connection until its deadline; when connections run out, the longest silent one gives way.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interpole/server/head_reader.hpp"
#include "interpole/server/http_message.hpp"

namespace interpole::server {

struct HttpServerOptions {
  std::uint16_t port = 0;  // 0: one that is free
  std::string token;       // see token.hpp
  HeadLimits head;
  std::size_t body = 65536;       // most bytes of a request's body
  std::size_t connections = 256;  // at a time
  std::chrono::milliseconds head_time{
      5000};  // from a request's first byte (or connecting) to its head's last
  std::chrono::milliseconds body_time{5000};    // … to its body's last
  std::chrono::milliseconds idle_time{15000};   // between two requests
  std::chrono::milliseconds write_time{30000};  // for the client to take a response
  int answering_threads = 4;
  void validate() const;  // throws a usage error
};

class HttpServer {
 public:
  HttpServer(HttpServerOptions options, std::vector<HttpRoute> routes);
  ~HttpServer();  // stops
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Listens and returns. Throws a runtime error if the port cannot be had.
  void start();
  std::uint16_t port() const;  // after start()
  // Closes every connection and waits for answers under way. From any thread but an answering one; again does
  // no harm.
  void stop();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace interpole::server
