// What `interpole serve` answers about the study builder (docs/serve.md).
#pragma once

#include <cstddef>
#include <vector>

#include "interpole/server/http_message.hpp"
#include "interpole/service/serve/study_builder.hpp"

namespace interpole::service {

// A table that is larger is opened by its name when the session is started.
inline constexpr std::size_t kMostTableBytes = std::size_t{64} << 20;

// The builder must outlive the routes.
std::vector<server::HttpRoute> builder_routes(StudyBuilder& builder);

// The value of `key` in a query such as "name=a%20b.csv", decoded; empty: there is none.
std::string query_value(std::string_view query, std::string_view key);

}  // namespace interpole::service
