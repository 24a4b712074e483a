#include "interpole/sampling/nuts/nuts_state_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "interpole/base/files/hash.hpp"
#include "interpole/error.hpp"

namespace interpole::sampling {
namespace {

constexpr std::string_view kFormat = "interpole-nuts-state 1";
constexpr std::string_view kChecksum = "sha256 ";

// One list of fields serves both directions, so they cannot drift: `visit` is called with a name and a
// reference, in the order of the text.
template <typename State, typename Visit>
void for_each_field(State& state, Visit&& visit) {
  visit("seed", state.seed);
  visit("chain", state.chain);
  visit("iteration", state.iteration);
  visit("warm_up", state.options.warm_up);
  visit("metric", state.options.metric);
  visit("target_accept", state.options.target_accept);
  visit("most_depth", state.options.most_depth);
  visit("most_energy_error", state.options.most_energy_error);
  visit("first_stretch", state.options.first_stretch);
  visit("first_window", state.options.first_window);
  visit("last_stretch", state.options.last_stretch);
  visit("first_step_size", state.options.step_size);
  visit("position", state.at.position);
  visit("gradient", state.at.gradient);
  visit("log_density", state.at.log_density);
  visit("step_size", state.step_size);
  visit("search_centre", state.dual_averaging.centre);
  visit("search_count", state.dual_averaging.count);
  visit("search_mean_shortfall", state.dual_averaging.mean_shortfall);
  visit("search_averaged_log_step", state.dual_averaging.averaged_log_step);
  visit("inverse_metric", state.inverse_metric);
  visit("moments_count", state.moments.count);
  visit("moments_mean", state.moments.mean);
  visit("moments_products", state.moments.products);
}

class Writer {
 public:
  template <typename T>
  void operator()(const char* name, const T& value) {
    text_ += name;
    write(value);
    text_ += '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  template <std::integral T>
  void write(T value) {
    fmt::format_to(std::back_inserter(text_), " {}", value);
  }
  void write(double value) { fmt::format_to(std::back_inserter(text_), " {:a}", value); }
  void write(MetricKind kind) { text_ += kind == MetricKind::kDense ? " dense" : " diagonal"; }
  void write(const std::vector<double>& values) {
    write(values.size());
    for (const double v : values) write(v);
  }

  std::string text_;
};

class Reader {
 public:
  Reader(std::string_view text, std::string_view place) : rest_(text), place_(place) {}

  template <typename T>
  void operator()(const char* name, T& value) {
    name_ = name;
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (word() != name) fail("is missing");
    read(value);
    if (!line_.empty()) fail("has something after its value");
  }
  void expect_end() {
    if (!rest_.empty()) fail("is followed by lines that do not belong there");
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw input_error(fmt::format("{}: not a saved chain this program can read: {} {}; start the chain anew",
                                  place_, name_, what));
  }

  std::string_view word() {
    const std::size_t end = std::min(line_.find(' '), line_.size());
    const std::string_view found = line_.substr(0, end);
    line_.remove_prefix(std::min(end + 1, line_.size()));
    return found;
  }

  template <std::integral T>
  void read(T& value) {
    const std::string_view digits = word();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) fail("is not a whole number");
  }

  void read(double& value) {
    std::string_view digits = word();
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    if (!digits.starts_with("0x")) fail("is not a hexadecimal number");
    digits.remove_prefix(2);
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value, std::chars_format::hex);
    if (error != std::errc{} || end != last || digits.starts_with('-') || !std::isfinite(value)) {
      fail("is not a finite hexadecimal number");
    }
    if (negative) value = -value;
  }

  void read(MetricKind& kind) {
    const std::string_view name = word();
    if (name != "dense" && name != "diagonal") fail("is neither dense nor diagonal");
    kind = name == "dense" ? MetricKind::kDense : MetricKind::kDiagonal;
  }

  void read(std::vector<double>& values) {
    std::size_t size = 0;
    read(size);
    if (size > line_.size()) fail("has fewer numbers than it says");
    values.resize(size);
    for (double& v : values) read(v);
  }

  std::string_view rest_;
  std::string_view line_;
  std::string_view place_;
  std::string_view name_;
};

// What the checksum vouches for, without the line that says which format it is.
std::string_view verified_body(std::string_view text, std::string_view place) {
  if (!text.starts_with(kFormat) || text.substr(kFormat.size(), 1) != "\n") {
    throw input_error(fmt::format("{}: not a saved chain: its first line is not \"{}\"; start the chain anew",
                                  place, kFormat));
  }
  const std::size_t tail = kChecksum.size() + 64 + 1;
  const std::size_t body = text.size() - std::min(text.size(), tail);
  const std::string expected = fmt::format("{}{}\n", kChecksum, base::sha256(text.substr(0, body)));
  if (text.substr(body) != expected) {
    throw input_error(fmt::format(
        "{}: the saved chain is cut or was altered: its checksum does not fit; start the chain anew", place));
  }
  return text.substr(0, body).substr(kFormat.size() + 1);
}

}  // namespace

std::string nuts_state_to_text(const NutsState& state) {
  Writer writer;
  for_each_field(state, writer);
  std::string text = fmt::format("{}\n{}", kFormat, writer.take());
  text += fmt::format("{}{}\n", kChecksum, base::sha256(text));
  return text;
}

NutsState nuts_state_from_text(std::string_view text, std::string_view place) {
  NutsState state;
  Reader reader(verified_body(text, place), place);
  for_each_field(state, reader);
  reader.expect_end();
  return state;
}

}  // namespace interpole::sampling
