#include "interpole/server/guard.hpp"

#include <fmt/format.h>

#include "interpole/server/token.hpp"

namespace interpole::server {
namespace {

bool is_own_host(std::string_view host, std::uint16_t port) {
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

std::variant<const HttpRoute*, HttpRefusal> find_route(const RequestHead& head,
                                                       std::span<const HttpRoute> routes) {
  const std::string_view method = head.method == "HEAD" ? "GET" : std::string_view(head.method);
  std::string allow;
  for (const HttpRoute& route : routes) {
    if (route.path != head.path()) continue;
    if (route.method == method) return &route;
    allow += (allow.empty() ? "" : ", ") + route.method + (route.method == "GET" ? ", HEAD" : "");
  }
  if (allow.empty()) return HttpRefusal{404, "nothing is served under this path"};
  return HttpRefusal{405, "this path does not take that method", allow};
}

}  // namespace

std::variant<const HttpRoute*, HttpRefusal> admit(const RequestHead& head, std::span<const HttpRoute> routes,
                                                  const GuardRules& rules) {
  const std::string host(head.field("host").value_or(""));
  if (!is_own_host(host, rules.port)) {
    return HttpRefusal{421,
                       fmt::format("this server goes by 127.0.0.1:{0} and localhost:{0} only", rules.port)};
  }
  if (const auto origin = head.field("origin"); origin && *origin != "http://" + host) {
    return HttpRefusal{403, "requests from other pages are not answered"};
  }
  auto found = find_route(head, routes);
  const auto* route = std::get_if<const HttpRoute*>(&found);
  if (route == nullptr) return found;
  if (!(*route)->open && !same_token(head.field("x-interpole-token").value_or(""), rules.token)) {
    return HttpRefusal{403, "the token is missing or wrong; open the address that the program printed"};
  }
  if (head.field("expect")) return HttpRefusal{417, "expect is not taken; send the body at once"};
  const std::size_t most = (*route)->most_body > 0 ? (*route)->most_body : rules.body;
  if (head.content_length.value_or(0) > most) {
    return HttpRefusal{413, fmt::format("the body is longer than {} bytes", most)};
  }
  return found;
}

}  // namespace interpole::server
