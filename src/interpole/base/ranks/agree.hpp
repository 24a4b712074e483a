// Ranks agree: on what one of them read, and that none of them failed.
#pragma once

#include <functional>
#include <string>

namespace interpole::base {

// An error on its way to other ranks.
std::string packed_error(const std::exception& error);
[[noreturn]] void throw_packed(const std::string& error, const std::string& before = "");

// What the first rank's `make` returns, on all ranks; its error is everybody's.
std::string from_first(const std::function<std::string()>& make);

// Every rank does this. If it fails on some, all throw the error of the first that failed, which says who it
// was; if it fails on all, each throws its own.
void agree(const std::function<void()>& work);

// "rank 3 on node7"
std::string rank_words(int rank, const std::string& host);
std::string host_name();

}  // namespace interpole::base
