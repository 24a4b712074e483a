// The secret that tells the person who started the server from everybody else on the machine.
#pragma once

#include <string>
#include <string_view>

namespace interpole::server {

// 256 bits from the operating system, in base64url: 43 letters, digits, - and _. Throws a runtime error if
// the system has none to give.
std::string new_token();

// Takes as long wherever the two differ, so that a token cannot be guessed letter by letter. An empty one
// equals nothing.
bool same_token(std::string_view given, std::string_view own);

}  // namespace interpole::server
