#include "interpole/service/serve/builder_routes.hpp"

#include <algorithm>

#include "interpole/error.hpp"

namespace interpole::service {
namespace {

constexpr char kBuilderJson[] = "application/json";

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded = text[i] == '%' && i + 2 < text.size() && hexadecimal(text[i + 1]) >= 0 &&
                       hexadecimal(text[i + 2]) >= 0;
    result += coded ? static_cast<char>(16 * hexadecimal(text[i + 1]) + hexadecimal(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return result;
}

// What was asked for, or the sentence that says why not.
template <class Answer>
server::HttpResponse answered(const Answer& answer) {
  try {
    return server::http_response(200, kBuilderJson, answer());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kRuntime) throw;
    return server::http_error(400, error.what());
  }
}

}  // namespace

std::string query_value(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos && part.substr(0, equals) == key)
      return decoded(part.substr(equals + 1));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return "";
}

std::vector<server::HttpRoute> builder_routes(StudyBuilder& builder) {
  return {
      {"GET", "/api/builder", false,
       [&builder](const server::HttpRequest&) {
         return server::http_response(200, kBuilderJson, builder.state_json());
       }},
      {"POST", "/api/builder", false,
       [&builder](const server::HttpRequest& asked) {
         return answered([&] { return builder.choose(asked.body); });
       }},
      {"POST", "/api/table", false,
       [&builder](const server::HttpRequest& asked) {
         return answered([&] {
           builder.take(query_value(asked.query, "name"), asked.body);
           return builder.state_json();
         });
       },
       kMostTableBytes},
  };
}

}  // namespace interpole::service
