// A request and a response, as those who answer see them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace interpole::server {

using HttpFields = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method;
  std::string path;   // exactly as sent; nothing is decoded or normalised
  std::string query;  // after the ?, as sent
  HttpFields fields;  // names in small letters
  std::string body;
};

// Bodies are shared, not copied: many clients may be reading the same large one.
using HttpBody = std::shared_ptr<const std::string>;

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  HttpBody body;
  HttpBody gzipped;        // the same, compressed; sent to those who accept it. Null: there is none
  HttpFields fields = {};  // replace what every response has, or add to it
};

HttpResponse http_response(int status, std::string content_type, std::string body);
// The sentence, as plain text.
HttpResponse http_error(int status, std::string_view sentence);

// Who answers what. A route for GET answers HEAD too.
struct HttpRoute {
  std::string method;
  std::string path;
  bool open = false;  // needs no token: holds no data and does nothing
  std::function<HttpResponse(const HttpRequest&)> answer;
  std::size_t most_body = 0;  // bytes; 0: as many as the server takes elsewhere
};

}  // namespace interpole::server
