#include "interpole/error.hpp"
#include "interpole/service/serve/builder_json.hpp"
#include "interpole/service/serve/builder_routes.hpp"
#include "interpole/service/serve/serve_routes.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {
namespace {

// Whatever kind of error it is, it is sent back to the page.
template <class Act>
void answered(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    require(is_safe_to_print(error.what()), "an answer is safe to print");
  }
}

}  // namespace

void json_request(std::string_view input) {
  const std::string body(input);
  answered([&] {
    const service::FitRequest request = service::asked_fit(body, {});
    require(request.options.restarts >= 1 && request.options.restarts <= 1000, "restarts are bounded");
  });
  answered([&] { service::parse_choice(body); });
  require(service::query_value(input, "name").size() <= input.size(), "what is decoded is no longer");
}

}  // namespace interpole::fuzz
