// `interpole serve`: the explorer on 127.0.0.1, for the person who started it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "interpole/service/explorer/explorer_data.hpp"

namespace interpole::service {

struct ServeRequest {
  ExplorerRequest explorer;  // with a study, fits can be made from the page. Without a model, a study is
                             // built and fitted in the page first
  std::string table;         // … of this table; empty: of one that the page sends
  std::uint16_t port = 0;    // 0: one that is free
  // Called once, when the page can be had. The address holds the token: whoever knows it can see the data.
  std::function<void(const std::string& address)> ready;
};

// Serves until asked to stop. Writes no file of its own.
void run_serve(const ServeRequest& request, Sink& sink);

}  // namespace interpole::service
