// Values as bytes, exact, between ranks of one program on machines of one kind; never in a file.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "interpole/error.hpp"

namespace interpole::base {

class PacketWriter {
 public:
  template <class Value>
  requires std::is_arithmetic_v<Value> PacketWriter& add(Value value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  PacketWriter& add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
    return *this;
  }
  PacketWriter& add(std::span<const double> numbers) { return add_all(numbers); }
  template <class Value>
  requires std::is_trivially_copyable_v<Value> PacketWriter& add_all(std::span<const Value> values) {
    return add(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads in the order of writing. The bytes must outlive it.
class PacketReader {
 public:
  explicit PacketReader(std::string_view bytes) : rest_(bytes) {}

  bool ended() const { return rest_.empty(); }
  template <class Value>
  Value get() {
    Value value;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::string text() { return std::string(take(get<std::uint64_t>())); }
  std::vector<double> numbers() { return all<double>(); }
  template <class Value>
  std::vector<Value> all() {
    const std::string_view bytes = take(get<std::uint64_t>());
    std::vector<Value> result(bytes.size() / sizeof(Value));
    if (!result.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw runtime_error("a message between ranks is cut; this is a bug");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace interpole::base
