#include "interpole/report/explorer_page.hpp"

#include <gmock/gmock.h>
#include <nettle/base64.h>
#include <zlib.h>

#include <vector>

namespace interpole::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kBegin = R"(<script id="interpole-data" type="application/octet-stream">)";

std::string block_of(const std::string& page) {
  const auto begin = page.find(kBegin) + kBegin.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

// As a browser does it.
std::string decoded(const std::string& block) {
  base64_decode_ctx context;
  base64_decode_init(&context);
  std::vector<std::uint8_t> bytes(BASE64_DECODE_LENGTH(block.size()));
  std::size_t size = bytes.size();
  EXPECT_EQ(base64_decode_update(&context, &size, bytes.data(), block.size(), block.data()), 1);
  EXPECT_EQ(base64_decode_final(&context), 1);
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string text(1 << 20, '\0');
  stream.next_in = bytes.data();
  stream.avail_in = static_cast<uInt>(size);
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(ExplorerPage, HoldsTheDataAsTheyWere) {
  const std::string document = "{\"title\": \"</script><script>alert(1)</script> \xE2\x80\xA8 ' \\\"\"}";
  const std::string page = explorer_page(PageUse::kReport, document);
  EXPECT_EQ(decoded(block_of(page)), document);
  EXPECT_THAT(page, Not(HasSubstr("alert(1)")));
  EXPECT_THAT(page, HasSubstr("connect-src 'none'"));
}

TEST(ExplorerPage, SameDataSameBytes) {
  EXPECT_EQ(explorer_page(PageUse::kReport, "{}"), explorer_page(PageUse::kReport, "{}"));
}

TEST(ExplorerPage, ServedPageHasNoDataAndTalksToItsOwnServerOnly) {
  const std::string page = explorer_page(PageUse::kServe, "");
  EXPECT_EQ(block_of(page), "");
  const std::string policy = page.substr(0, page.find("<script"));
  EXPECT_THAT(policy, HasSubstr("connect-src 'self'"));
  EXPECT_THAT(policy, Not(HasSubstr("connect-src 'none'")));
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
}

// Every report carries its page: what only a served page can do is not in it.
TEST(ExplorerPage, ReportsHaveNoRequestsAndNoStudyBuilder) {
  const std::string served = explorer_page(PageUse::kServe, "");
  const std::string report = explorer_page(PageUse::kReport, "{}");
  for (const char* part : {"/api/builder", "/api/fit", "X-Interpole-Token", "fetch("}) {
    EXPECT_THAT(served, HasSubstr(part));
    EXPECT_THAT(report, Not(HasSubstr(part)));
  }
}

}  // namespace
}  // namespace interpole::report
