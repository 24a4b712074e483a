#include "interpole/server/accepted_codings.hpp"

#include <algorithm>

namespace interpole::server {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// q=0, q=0.0 … mean: not this one.
bool is_refused(std::string_view parameters) {
  const auto q = parameters.find("q=");
  return q != std::string_view::npos &&
         parameters.substr(q + 2).find_first_not_of("0. ") == std::string_view::npos;
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const auto comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const auto item = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const auto semicolon = std::min(item.find(';'), item.size());
    if (without_blanks(item.substr(0, semicolon)) == "gzip") return !is_refused(item.substr(semicolon));
  }
  return false;
}

}  // namespace interpole::server
