// What the explorer shows: the same flags wherever it is shown.
#pragma once

#include <string>
#include <vector>

#include "interpole/service/explorer/explorer_data.hpp"
#include "verb.hpp"

namespace interpole::cli {

struct ExplorerFlags {
  service::ExplorerRequest request;
  std::vector<std::string> data;
  bool without_groups = false;
};

void add_explorer_flags(CLI::App& verb, ExplorerFlags& flags);
service::ExplorerRequest explorer_request(const ExplorerFlags& flags, const Common& common);

}  // namespace interpole::cli
