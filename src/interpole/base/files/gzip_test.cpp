#include "interpole/base/files/gzip.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

#include "interpole/base/complaint_testing.hpp"
#include "interpole/base/random.hpp"
#include "interpole/error.hpp"

namespace interpole::base {
namespace {

// As whoever receives it does.
std::string unpacked(const std::string& packed, std::size_t size) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string text(size + 1, '\0');  // one more than there should be
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0u);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(Gzip, GivesBackEveryByte) {
  RandomStream random(1);
  std::string noise;
  for (int i = 0; i < 100'000; ++i) noise += static_cast<char>(256.0 * random.uniform());
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string("a\0b", 3), std::string(300'000, 'x'), noise}) {
    EXPECT_EQ(unpacked(gzip(bytes), bytes.size()), bytes) << bytes.size();
  }
}

TEST(Gzip, MakesWhatRepeatsItselfSmall) {
  EXPECT_LT(gzip(std::string(300'000, 'x')).size(), 1'000u);
}

TEST(Gzip, SaysNothingOfWhenItWasMade) {
  const std::string packed = gzip("visits");
  EXPECT_EQ(packed.substr(4, 4), std::string(4, '\0'));  // where the time goes
  EXPECT_EQ(packed, gzip("visits"));
}

TEST(Gzip, RefusesMoreThanOnePieceCanHold) {
  // Refused by its size: no byte of it is looked at.
  const char byte = 'x';
  EXPECT_THAT(complaint_of([&] { gzip(std::string_view(&byte, std::size_t{3} << 30)); }, ErrorKind::kRuntime),
              testing::HasSubstr("3221225472 bytes cannot be compressed"));
}

}  // namespace
}  // namespace interpole::base
