// The head of an HTTP/1.1 request (request line and fields), read strictly from raw bytes as they come in.
//
// Two programs that read the same unusual bytes differently are how requests are smuggled, so nothing unusual
// is repaired: bare line feeds, folded lines, blanks before a colon, control characters, repeated or
// contradictory lengths are all refused, before a general parser sees them. A body comes with its length:
// chunks, whose framing is where readers differ most, are not taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "interpole/server/http_message.hpp"

namespace interpole::server {

struct HeadLimits {
  std::size_t line = 4096;    // bytes of the request line
  std::size_t bytes = 16384;  // of all of the head
  std::size_t fields = 100;
};

// Why a request is not answered: a status from 400 to 499, and a sentence for whoever sent it.
struct HttpRefusal {
  int status = 400;
  std::string sentence;
  std::string allow = {};  // of 405: the methods that are
};

struct RequestHead {
  std::string method;
  std::string target;  // begins with /
  bool version_1_1 = true;
  HttpFields fields;  // names in small letters, in the order sent
  std::optional<std::uint64_t> content_length;

  // Of the first field of that name (in small letters).
  std::optional<std::string_view> field(std::string_view name) const;
  std::string_view path() const;
  std::string_view query() const;
};

class HeadReader {
 public:
  enum class State { kMore, kComplete, kRefused };

  explicit HeadReader(HeadLimits limits = {}) : limits_(limits) {}

  // `bytes`: everything received of this request so far, from its first byte. Each byte is looked at once,
  // however it is cut into calls, and the result does not depend on the cuts.
  State look(std::string_view bytes);

  const RequestHead& head() const { return head_; }        // kComplete
  const HttpRefusal& refusal() const { return refusal_; }  // kRefused

 private:
  State refuse(int status, std::string sentence);
  bool read_line(std::string_view line);  // false: refused
  bool read_request_line(std::string_view line);
  bool read_field(std::string_view line);
  bool check_host();
  bool check_length();
  bool refuse_if_too_long(std::size_t end);

  HeadLimits limits_;
  std::size_t at_ = 0;          // bytes looked at
  std::size_t line_start_ = 0;  // of the line being read
  bool first_line_ = true;
  State state_ = State::kMore;
  RequestHead head_;
  HttpRefusal refusal_;
};

}  // namespace interpole::server
