#include "interpole/server/guard.hpp"

#include <gtest/gtest.h>

#include <set>

#include "interpole/server/accepted_codings.hpp"
#include "interpole/server/token.hpp"

namespace interpole::server {
namespace {

constexpr std::uint16_t kPort = 4711;

// The status it is refused with, or 0.
int refusal(const std::string& method, const std::string& target, HttpFields fields) {
  static const std::vector<HttpRoute> kRoutes = {{"GET", "/", true, {}},
                                                 {"GET", "/api/data", false, {}},
                                                 {"DELETE", "/api/data", false, {}},
                                                 {"POST", "/api/table", false, {}, 5000}};
  RequestHead head;
  head.method = method;
  head.target = target;
  head.fields = std::move(fields);
  if (const auto length = head.field("content-length"))
    head.content_length = std::stoull(std::string(*length));
  const auto admitted = admit(head, kRoutes, {kPort, "secret", 100});
  const auto* refused = std::get_if<HttpRefusal>(&admitted);
  return refused != nullptr ? refused->status : 0;
}

const std::pair<std::string, std::string> kHost = {"host", "127.0.0.1:4711"};
const std::pair<std::string, std::string> kToken = {"x-interpole-token", "secret"};

TEST(Guard, LetsInWhoKnowsTheToken) {
  EXPECT_EQ(refusal("GET", "/", {kHost}), 0);
  EXPECT_EQ(refusal("HEAD", "/?view=map", {kHost}), 0);
  EXPECT_EQ(refusal("GET", "/api/data", {kHost, kToken}), 0);
  EXPECT_EQ(refusal("GET", "/api/data", {{"host", "localhost:4711"}, kToken}), 0);
  EXPECT_EQ(refusal("GET", "/api/data", {kHost, kToken, {"origin", "http://127.0.0.1:4711"}}), 0);
}

TEST(Guard, RefusesOtherTokens) {
  EXPECT_EQ(refusal("GET", "/api/data", {kHost}), 403);
  for (const char* token : {"", "secreT", "secre", "secrets", "secret "}) {
    EXPECT_EQ(refusal("GET", "/api/data", {kHost, {"x-interpole-token", token}}), 403) << token;
  }
  EXPECT_EQ(refusal("GET", "/api/data?token=secret", {kHost}), 403);
}

TEST(Guard, RefusesOtherHostsAndOrigins) {
  for (const char* host :
       {"", "127.0.0.1", "localhost", "127.0.0.1:80", "evil.example:4711", "127.0.0.1:4711.evil",
        "[::1]:4711", "0.0.0.0:4711", "127.0.0.1:04711", "LOCALHOST:4711"}) {
    EXPECT_EQ(refusal("GET", "/", {{"host", host}}), 421) << host;
  }
  for (const char* origin : {"null", "", "http://evil.example", "https://127.0.0.1:4711",
                             "http://localhost:4711", "http://127.0.0.1:4711/", "http://127.0.0.1"}) {
    EXPECT_EQ(refusal("GET", "/api/data", {kHost, kToken, {"origin", origin}}), 403) << origin;
    EXPECT_EQ(refusal("GET", "/", {kHost, {"origin", origin}}), 403) << origin;
  }
}

TEST(Guard, KnowsExactPathsAndMethodsOnly) {
  for (const char* target : {"/index.html", "//", "/.", "/./", "/api/data/", "/api//data", "/API/data",
                             "/%61pi/data", "/api/../api/data", "/api/data;x"}) {
    EXPECT_EQ(refusal("GET", target, {kHost, kToken}), 404) << target;
  }
  for (const char* method : {"PUT", "POST", "OPTIONS", "TRACE", "get", "FOO"}) {
    EXPECT_EQ(refusal(method, "/api/data", {kHost, kToken}), 405) << method;
  }
}

TEST(Guard, SaysWhichMethodsAPathTakes) {
  const std::vector<HttpRoute> routes = {{"GET", "/a", true, {}}, {"DELETE", "/a", true, {}}};
  RequestHead head;
  head.method = "PUT";
  head.target = "/a";
  head.fields = {kHost};
  EXPECT_EQ(std::get<HttpRefusal>(admit(head, routes, {kPort, "secret", 100})).allow, "GET, HEAD, DELETE");
}

TEST(Guard, RefusesLongBodiesBeforeReadingThem) {
  EXPECT_EQ(refusal("GET", "/", {kHost, {"content-length", "100"}}), 0);
  EXPECT_EQ(refusal("GET", "/", {kHost, {"content-length", "101"}}), 413);
  EXPECT_EQ(refusal("POST", "/api/table", {kHost, kToken, {"content-length", "5000"}}), 0);
  EXPECT_EQ(refusal("POST", "/api/table", {kHost, kToken, {"content-length", "5001"}}), 413);
  EXPECT_EQ(refusal("POST", "/api/table", {kHost, {"content-length", "5000"}}), 403);
  EXPECT_EQ(refusal("GET", "/", {kHost, {"expect", "100-continue"}}), 417);
}

TEST(Token, Is256RandomBitsInBase64Url) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string token = new_token();
    EXPECT_EQ(token.size(), 43u);
    EXPECT_EQ(token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              std::string::npos);
    seen.insert(token);
  }
  EXPECT_EQ(seen.size(), 100u);
}

TEST(Token, EqualsOnlyItself) {
  const std::string token = new_token();
  EXPECT_TRUE(same_token(token, token));
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string other = token;
    other[i] = other[i] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(same_token(other, token)) << i;
  }
  EXPECT_FALSE(same_token("", ""));
  EXPECT_FALSE(same_token(token.substr(1), token));
  EXPECT_FALSE(same_token(token + "a", token));
}

TEST(AcceptedCodings, GzipIsSentToThoseWhoAcceptIt) {
  for (const char* yes : {"gzip", "deflate, gzip, br", "gzip;q=0.5", "br ; q=1 , gzip ; q=0.01"}) {
    EXPECT_TRUE(accepts_gzip(yes)) << yes;
  }
  for (const char* no : {"", "identity", "gzip;q=0", "gzip; q=0.000", "xgzip", "br, gzip ;q=0", ",,;"}) {
    EXPECT_FALSE(accepts_gzip(no)) << no;
  }
}

}  // namespace
}  // namespace interpole::server
