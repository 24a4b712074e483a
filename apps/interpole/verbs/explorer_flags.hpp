// What the explorer shows: the same flags wherever it is shown.
#pragma once

#include "interpole/service/explorer/explorer_data.hpp"
#include "verb.hpp"

namespace interpole::cli {

struct ExplorerFlags : RequestFlags<service::ExplorerRequest> {
  bool without_groups = false;
};

void add_explorer_flags(CLI::App& verb, ExplorerFlags& flags);
service::ExplorerRequest explorer_request(const ExplorerFlags& flags);

}  // namespace interpole::cli
