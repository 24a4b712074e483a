// What an action complains of, for tests of refusals.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "interpole/error.hpp"

namespace interpole::base {

// The message of the error that `act` ends with, which must be of this kind; "accepted" if there is none.
template <class Act>
std::string complaint_of(const Act& act, ErrorKind kind = ErrorKind::kInput) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "accepted";
}

}  // namespace interpole::base
