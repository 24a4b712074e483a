// May this request be answered, and by whom? Decided from its head alone, before any of its body is read.
//
// Host: another site can make a browser send requests here under a name of its own (DNS rebinding); only the
// names this server goes by are taken. Origin: a browser says which page a request comes from; only our own
// page may. Token: other people and programs on the machine can connect, but do not know it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "interpole/server/head_reader.hpp"

namespace interpole::server {

struct GuardRules {
  std::uint16_t port = 0;
  std::string token;
  std::size_t body = 0;  // most bytes
};

// The route that answers, or why none does.
std::variant<const HttpRoute*, HttpRefusal> admit(const RequestHead& head, std::span<const HttpRoute> routes,
                                                  const GuardRules& rules);

}  // namespace interpole::server
