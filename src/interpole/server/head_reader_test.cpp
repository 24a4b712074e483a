#include "interpole/server/head_reader.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace interpole::server {
namespace {

using State = HeadReader::State;
using namespace std::string_literals;

constexpr char kGood[] =
    "POST /api/fit?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8\r\nContent-Length: 2\r\nX-A:  b c\t\r\n\r\n";

// 0 if complete, else the status it is refused with; −1: more is wanted.
int outcome_of(const std::string& bytes, HeadLimits limits = {}) {
  HeadReader reader(limits);
  switch (reader.look(bytes)) {
    case State::kComplete:
      return 0;
    case State::kRefused:
      return reader.refusal().status;
    default:
      return -1;
  }
}

std::string with_field(const std::string& lines) {
  return "GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n\r\n";
}

TEST(HeadReader, ReadsAPlainRequest) {
  HeadReader reader;
  ASSERT_EQ(reader.look(kGood), State::kComplete);
  const RequestHead& head = reader.head();
  EXPECT_EQ(head.method, "POST");
  EXPECT_EQ(head.path(), "/api/fit");
  EXPECT_EQ(head.query(), "x=1");
  EXPECT_EQ(head.field("x-a"), "b c");
  EXPECT_EQ(head.content_length, 2u);
  EXPECT_FALSE(head.field("cookie").has_value());
}

TEST(HeadReader, WantsMoreUntilTheEmptyLine) {
  const std::string good = kGood;
  for (std::size_t n = 0; n < good.size(); ++n) EXPECT_EQ(outcome_of(good.substr(0, n)), -1) << n;
  EXPECT_EQ(outcome_of(good), 0);
  EXPECT_EQ(outcome_of(good + "GET / HTTP/1.1\n"), 0) << "what follows belongs to the next request";
}

TEST(HeadReader, RefusesWhatTwoReadersCouldReadDifferently) {
  const std::vector<std::pair<const char*, std::string>> cases = {
      {"bare line feeds", "GET / HTTP/1.1\nHost: a\n\n"},
      {"one bare line feed", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n"},
      {"bare carriage return", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n"},
      {"empty line first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"folded line", with_field("X: a\r\n b")},
      {"folded by a tab", with_field("X: a\r\n\tb")},
      {"folded first line", "GET / HTTP/1.1\r\n Host: a\r\n\r\n"},
      {"space before colon", with_field("Content-Length : 0")},
      {"tab before colon", with_field("Content-Length\t: 0")},
      {"no colon", with_field("nonsense")},
      {"empty name", with_field(": a")},
      {"NUL in a value", with_field("X: a\0b"s)},
      {"NUL in a name", with_field("X\0: a"s)},
      {"NUL in the target", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"s},
      {"escape character", with_field("X: \x1b[31m")},
      {"delete character", with_field("X: \x7f")},
      {"two lengths", with_field("Content-Length: 1\r\nContent-Length: 2")},
      {"two equal lengths", with_field("Content-Length: 0\r\ncontent-length: 0")},
      {"a list of lengths", with_field("Content-Length: 0, 0")},
      {"signed length", with_field("Content-Length: +1")},
      {"negative length", with_field("Content-Length: -1")},
      {"hexadecimal length", with_field("Content-Length: 0x1")},
      {"empty length", with_field("Content-Length:")},
      {"length beyond 64 bits", with_field("Content-Length: 18446744073709551616")},
      {"length and chunks", with_field("Content-Length: 1\r\nTransfer-Encoding: chunked")},
      {"chunks and length", with_field("Transfer-Encoding: chunked\r\nContent-Length: 1")},
      {"unknown coding", with_field("Transfer-Encoding: xchunked")},
      {"two codings", with_field("Transfer-Encoding: gzip, chunked")},
      {"coding twice", with_field("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")},
      {"vertical tab in coding", with_field("Transfer-Encoding: \vchunked")},
      {"no host", "GET / HTTP/1.1\r\n\r\n"},
      {"no host in 1.0", "GET / HTTP/1.0\r\n\r\n"},
      {"two hosts", with_field("Host: b")},
      {"two origins", with_field("Origin: http://a\r\nOrigin: http://b")},
      {"two tokens", with_field("X-Interpole-Token: a\r\nX-Interpole-Token: b")},
      {"absolute target", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"authority target", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"asterisk target", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"fragment", "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"tab for space", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"no version", "GET /\r\nHost: a\r\n\r\n"},
      {"version 0.9", "GET / HTTP/0.9\r\nHost: a\r\n\r\n"},
      {"version 2", "GET / HTTP/2.0\r\nHost: a\r\n\r\n"},
      {"version in small letters", "GET / http/1.1\r\nHost: a\r\n\r\n"},
      {"space after version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"},
      {"no method", " / HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"TLS greeting", "\x16\x03\x01\x02"s},
  };
  for (const auto& [name, bytes] : cases) EXPECT_EQ(outcome_of(bytes), 400) << name;
}

TEST(HeadReader, WantsALengthInsteadOfChunks) {
  EXPECT_EQ(outcome_of(with_field("Transfer-Encoding: chunked")), 411);
  EXPECT_EQ(outcome_of(with_field("transfer-encoding:CHUNKED ")), 411);
}

TEST(HeadReader, LimitsLineHeadAndFields) {
  const HeadLimits limits{64, 256, 5};
  const auto line = [](std::size_t bytes) {  // a request line of that many
    return "GET /" + std::string(bytes - 14, 'a') + " HTTP/1.1\r\n";
  };
  EXPECT_EQ(outcome_of(line(64) + "Host: a\r\n\r\n", limits), 0);
  EXPECT_EQ(outcome_of(line(65) + "Host: a\r\n\r\n", limits), 414);
  EXPECT_EQ(outcome_of(std::string(1000, 'a'), limits), 414) << "without waiting for the line's end";
  const auto fields = [](int count) {
    std::string lines = "Host: a";
    for (int i = 1; i < count; ++i) lines += "\r\nX: b";
    return "GET / HTTP/1.1\r\n" + lines + "\r\n\r\n";
  };
  EXPECT_EQ(outcome_of(fields(5), limits), 0);
  EXPECT_EQ(outcome_of(fields(6), limits), 431);
  const std::string frame = with_field("X: ");
  EXPECT_EQ(outcome_of(with_field("X: " + std::string(256 - frame.size(), 'a')), limits), 0);
  EXPECT_EQ(outcome_of(with_field("X: " + std::string(257 - frame.size(), 'a')), limits), 431);
}

// Bytes made of the pieces that matter in a head, so that many get far.
std::string random_head() {
  const auto piece = rc::gen::element<std::string>(
      "GET", "POST", " ", "/", "HTTP/1.1", "HTTP/1.0", "\r\n", "\r", "\n", "Host: a", "Content-Length: 3",
      "Transfer-Encoding: chunked", ":", "X: y", "\t", "a", std::string(1, '\0'), "\r\n\r\n");
  std::string bytes =
      *rc::gen::element<std::string>("", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n");
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) bytes += part;
  return bytes;
}

RC_GTEST_PROP(HeadReader, DoesNotDependOnHowBytesAreCut, ()) {
  const std::string bytes = random_head();
  const HeadLimits limits{40, 120, 4};
  HeadReader whole(limits);
  HeadReader pieces(limits);
  const State expected = whole.look(bytes);
  State seen = State::kMore;
  for (std::size_t n = 0; n <= bytes.size() && seen == State::kMore; ++n) {
    seen = pieces.look(std::string_view(bytes).substr(0, n));
  }
  RC_ASSERT(seen == expected);
  RC_ASSERT(whole.refusal().status == pieces.refusal().status);
  RC_ASSERT(whole.refusal().sentence == pieces.refusal().sentence);
  RC_ASSERT(whole.head().fields == pieces.head().fields);
  if (expected == State::kComplete) RC_ASSERT(whole.head().field("host").has_value());
}

}  // namespace
}  // namespace interpole::server
