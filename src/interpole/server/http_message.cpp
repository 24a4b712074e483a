#include "interpole/server/http_message.hpp"

namespace interpole::server {

HttpResponse http_response(int status, std::string content_type, std::string body) {
  HttpResponse response;
  response.status = status;
  response.content_type = std::move(content_type);
  response.body = std::make_shared<const std::string>(std::move(body));
  return response;
}

HttpResponse http_error(int status, std::string_view sentence) {
  return http_response(status, "text/plain; charset=utf-8", std::string(sentence) + "\n");
}

}  // namespace interpole::server
