#include <string>

#include "interpole/server/guard.hpp"
#include "interpole/server/head_reader.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {
namespace {

using server::HeadReader;

const std::string kToken(43, 't');

void look_at(const server::RequestHead& head) {
  require(head.target.starts_with('/') && is_safe_to_print(head.method), "a target begins with /");
  for (const auto& [name, value] : head.fields) {
    require(!name.empty() && name.find_first_of(" \t:") == std::string::npos, "a field's name is a word");
    require(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos, "a value is one line");
  }
  const std::vector<server::HttpRoute> routes = {{"GET", "/", true, {}}, {"POST", "/api/fit", false, {}}};
  const auto admitted = server::admit(head, routes, {8080, kToken, 1000});
  const auto* route = std::get_if<const server::HttpRoute*>(&admitted);
  if (route == nullptr) {
    const auto& refusal = std::get<server::HttpRefusal>(admitted);
    require(refusal.status >= 400 && refusal.status < 500, "a refusal is the client's fault");
    return;
  }
  require((*route)->open || head.field("x-interpole-token") == kToken, "nobody passes without the token");
  const auto host = head.field("host");
  require(host == "127.0.0.1:8080" || host == "localhost:8080", "no other host is answered");
  require(head.content_length.value_or(0) <= 1000, "a body is no longer than allowed");
}

}  // namespace

// As it comes in one piece and byte by byte.
void http_head(std::string_view input) {
  HeadReader whole;
  HeadReader bytewise;
  const HeadReader::State state = whole.look(input);
  HeadReader::State state_bytewise = HeadReader::State::kMore;
  for (std::size_t i = 0; i <= input.size(); ++i) {
    state_bytewise = bytewise.look(input.substr(0, i));
    if (state_bytewise != HeadReader::State::kMore) break;
  }
  require(state == state_bytewise, "a head does not depend on how it is cut");
  if (state == HeadReader::State::kRefused) {
    require(whole.refusal().status == bytewise.refusal().status, "a refusal does not depend on cuts");
    require(is_safe_to_print(whole.refusal().sentence), "a refusal is safe to print");
  }
  if (state != HeadReader::State::kComplete) return;
  require(whole.head().target == bytewise.head().target && whole.head().fields == bytewise.head().fields,
          "a head does not depend on how it is cut");
  look_at(whole.head());
}

}  // namespace interpole::fuzz
