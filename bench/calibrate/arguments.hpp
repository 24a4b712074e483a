// What the programs of this folder are asked for: `--name value` pairs and names of conditions, all
// conditions if there are none.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace interpole {

class Arguments {
 public:
  // `known`: the names that a program has, with their dashes.
  Arguments(int argc, char** argv, const std::set<std::string>& known) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (!word.starts_with("--")) {
        conditions_.push_back(word);
        continue;
      }
      if (!known.contains(word))
        throw std::invalid_argument(fmt::format("{}: there is no such option", word));
      if (i + 1 == argc) throw std::invalid_argument(fmt::format("{}: needs a value", word));
      values_[word] = argv[++i];
    }
  }

  template <class Number>
  Number number(const std::string& name, Number otherwise) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return otherwise;
    const std::string& text = found->second;
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
      throw std::invalid_argument(fmt::format("{} {}: is not a number", name, text));
    }
    return value;
  }

  std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
  }

  bool wants(const std::string& condition) const {
    return conditions_.empty() ||
           std::find(conditions_.begin(), conditions_.end(), condition) != conditions_.end();
  }

 private:
  std::map<std::string, std::string> values_;
  std::vector<std::string> conditions_;
};

// The exit code of `program`; 1 and its words where it throws.
template <class Program>
int exit_code_of(const Program& program) {
  try {
    program();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace interpole
