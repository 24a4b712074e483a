// Gives stored inputs to a target without libFuzzer: fuzz_replay TARGET FOLDER…
// Each input also comes cut at several places and with single bytes changed, the same ones each time.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "targets.hpp"

namespace interpole::fuzz {
namespace {

using Run = void (*)(std::string_view);

Run target_named(std::string_view name) {
#define INTERPOLE_TARGET(target) \
  if (name == #target) return target;
#include "targets.inc"
#undef INTERPOLE_TARGET
  return nullptr;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int try_variants(Run run, const std::string& input, int variants) {
  run(input);
  for (int i = 0; i < variants && !input.empty(); ++i) {
    const std::size_t place = static_cast<std::size_t>(i) * input.size() / static_cast<std::size_t>(variants);
    run(std::string_view(input).substr(0, place));
    std::string changed = input;
    changed[place] = static_cast<char>(changed[place] ^ (1 << i % 8));
    run(changed);
  }
  return input.empty() ? 1 : 1 + 2 * variants;
}

}  // namespace
}  // namespace interpole::fuzz

int main(int count, char** words) {
  using namespace interpole::fuzz;
  const Run run = count > 3 ? target_named(words[1]) : nullptr;
  if (run == nullptr) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET VARIANTS FOLDER...\n");
    return 2;
  }
  const int variants = std::atoi(words[2]);
  int inputs = 0;
  int runs = 0;
  for (int i = 3; i < count; ++i) {
    std::set<std::filesystem::path> files;  // in the same order each time
    for (const auto& entry : std::filesystem::recursive_directory_iterator(words[i])) {
      if (entry.is_regular_file()) files.insert(entry.path());
    }
    for (const auto& file : files) {
      std::printf("%s\n", file.c_str());
      std::fflush(stdout);  // so that the last name printed is that of a crash
      runs += try_variants(run, bytes_of(file), variants);
      ++inputs;
    }
  }
  std::printf("%d inputs, %d runs\n", inputs, runs);
  return inputs == 0 ? 1 : 0;
}
