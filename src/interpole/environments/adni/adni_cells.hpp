// Cells of a simulated ADNI row: random small numbers, and how text, numbers and missing values are written.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "interpole/base/random.hpp"
#include "interpole/environments/adni/adni_table.hpp"

namespace interpole::environments {

// Small whole numbers, sixteen from each block of the stream: most cells need no more.
class CellDraws {
 public:
  CellDraws(std::uint64_t seed, std::int64_t number)
      : stream_(seed, static_cast<std::uint64_t>(number), base::RandomPurpose::kAdniCells) {}

  int below(int limit) {  // limit ≤ 2^15
    if (left_ == 0) {
      bits_ = stream_.next_bits();
      left_ = 4;
    }
    const auto slice = static_cast<std::uint32_t>(bits_ & 0xffff);
    bits_ >>= 16;
    --left_;
    return static_cast<int>(slice * static_cast<std::uint32_t>(limit) >> 16);
  }
  base::RandomStream& stream() { return stream_; }

 private:
  base::RandomStream stream_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

// What the cells of one row are made from.
struct AdniRow {
  const AdniPatient& patient;
  const AdniVisit& visit;
  AdniFormat format;
  int baseline_volume;  // −1: none
  int volume;           // −1: no MRI
  int cdr_halves;       // CDR-SB in halves; −1: not recorded
  CellDraws& draws;
  std::string& out;

  void text(std::string_view value) const {
    out += '"';
    out += value;
    out += '"';
  }
  void number(std::int64_t value) const {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
    out.append(digits.begin(), end);
  }
  void decimal(int value, int unit) const {  // value/unit; unit is 10 or 100
    number(value / unit);
    out += '.';
    if (unit == 100 && value % unit < 10) out += '0';
    number(value % unit);
  }
  // No value, in one of the four ways of the real tables.
  void missing(bool quoted) const {
    constexpr std::array<std::string_view, 4> kWays = {"", " ", "NA", "-4"};
    const std::string_view way = kWays[draws.below(4)];
    if (quoted)
      text(way);
    else
      out += way;
  }
  bool with_mri() const { return volume >= 0; }
};

}  // namespace interpole::environments
