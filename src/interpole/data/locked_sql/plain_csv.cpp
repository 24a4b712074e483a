// Sixty-four characters at a time: a bit for each says whether it is a quote, a separator or a line's end,
// and whole words of bits are then looked at together. Compiled once per instruction set.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpole/data/locked_sql/plain_csv.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
//
#include <hwy/highway.h>

#include <bit>
#include <cstring>

#include "interpole/data/locked_sql/plain_csv.hpp"

HWY_BEFORE_NAMESPACE();
namespace interpole::data {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<std::int8_t, 64>;

struct Bits {
  std::uint64_t quotes = 0;
  std::uint64_t delimiters = 0;
  std::uint64_t lines = 0;
  bool strange = false;
};

HWY_INLINE std::uint64_t bits_of(D d, hn::Mask<D> mask) {
  std::uint64_t bits = 0;
  hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

HWY_INLINE Bits look_at(const char* text, char delimiter) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  Bits bits;
  auto strange = hn::Zero(d);
  for (std::size_t i = 0; i < 64; i += lanes) {
    const auto c = hn::LoadU(d, reinterpret_cast<const std::int8_t*>(text) + i);
    bits.quotes |= bits_of(d, hn::Eq(c, hn::Set(d, '"'))) << i;
    bits.delimiters |= bits_of(d, hn::Eq(c, hn::Set(d, delimiter))) << i;
    bits.lines |= bits_of(d, hn::Eq(c, hn::Set(d, '\n'))) << i;
    // Beyond ASCII characters are negative.
    strange =
        hn::Or(strange, hn::VecFromMask(d, hn::Or(hn::Lt(c, hn::Set(d, 1)), hn::Eq(c, hn::Set(d, '\r')))));
  }
  bits.strange = !hn::AllFalse(d, hn::Ne(strange, hn::Zero(d)));
  return bits;
}

// Bit i: whether an odd number of bits up to i is set.
HWY_INLINE std::uint64_t parity_so_far(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

class Cutter {
 public:
  Cutter(char delimiter, CellEnds& cells) : delimiter_(delimiter), cells_(cells) {}

  HWY_INLINE bool cut(const char* text, std::uint32_t base) {
    const Bits bits = look_at(text, delimiter_);
    // From an opening quote up to the character before the closing one.
    const std::uint64_t quoted = bits.quotes == 0 ? quoted_ : parity_so_far(bits.quotes) ^ quoted_;
    const std::uint64_t separators = (bits.delimiters | bits.lines) & ~quoted;
    const std::uint64_t opening = bits.quotes & quoted;
    const std::uint64_t closing = bits.quotes & ~quoted;
    const std::uint64_t after_separator = separators << 1 | after_separator_;
    const std::uint64_t after_closing = closing << 1 | after_closing_;
    if (bits.strange || (bits.lines & quoted) != 0 || (opening & ~after_separator) != 0 ||
        (after_closing & ~separators) != 0) {
      return false;
    }
    quoted_ = 0 - (quoted >> 63);
    after_separator_ = separators >> 63;
    after_closing_ = closing >> 63;
    cells_.lines += std::popcount(bits.lines);
    take(separators, base);
    return true;
  }

 private:
  HWY_INLINE void take(std::uint64_t separators, std::uint32_t base) {
    std::uint32_t* out = cells_.ends.data() + cells_.count;
    cells_.count += std::popcount(separators);
    for (; separators != 0; separators &= separators - 1) *out++ = base + std::countr_zero(separators);
  }

  char delimiter_;
  CellEnds& cells_;
  std::uint64_t quoted_ = 0;           // all bits: the text so far ends within quotes
  std::uint64_t after_separator_ = 1;  // what comes next stands at the beginning of a cell
  std::uint64_t after_closing_ = 0;
};

bool cut_lines(std::string_view text, char delimiter, CellEnds& cells) {
  Cutter cutter(delimiter, cells);
  std::size_t at = 0;
  for (; at + 64 <= text.size(); at += 64) {
    if (!cutter.cut(text.data() + at, static_cast<std::uint32_t>(at))) return false;
  }
  if (at == text.size()) return true;
  char rest[64];
  std::memset(rest, delimiter == ' ' ? '.' : ' ', sizeof rest);
  std::memcpy(rest, text.data() + at, text.size() - at);
  return cutter.cut(rest, static_cast<std::uint32_t>(at));
}

}  // namespace HWY_NAMESPACE
}  // namespace interpole::data
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace interpole::data {

HWY_EXPORT(cut_lines);

bool cut_plain_csv(std::string_view lines, char delimiter, std::size_t columns, CellEnds& cells) {
  cells.count = 0;
  cells.lines = 0;
  if (columns < 2 || lines.empty() || lines.back() != '\n') return false;
  if (cells.ends.size() < lines.size()) cells.ends.resize(lines.size());
  if (!HWY_DYNAMIC_DISPATCH(cut_lines)(lines, delimiter, cells)) return false;
  if (cells.lines * columns != cells.count) return false;
  for (std::size_t i = columns - 1; i < cells.count; i += columns) {
    if (lines[cells.ends[i]] != '\n') return false;
  }
  return true;
}

}  // namespace interpole::data

#endif  // HWY_ONCE
