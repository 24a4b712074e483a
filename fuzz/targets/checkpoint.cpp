#include "interpole/base/files/checkpoint.hpp"

#include "interpole/base/files/exact_text.hpp"
#include "interpole/base/files/hash.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {
namespace {

void read_part(std::string_view text) {
  taken(
      [&] {
        base::ExactReader reader(text, "part");
        while (!reader.ended()) {
          reader.line("value").number();
          reader.line("count").integer();
          reader.line("values").numbers();
        }
        reader.expect_end();
      },
      "part");
}

}  // namespace

// The input is what a checkpoint holds; with and without the checksum that makes it one.
void checkpoint(std::string_view input) {
  std::string text = "interpole-checkpoint 1\n" + std::string(input);
  text += "sha256 " + base::sha256(text) + "\n";
  for (const std::string_view bytes : {std::string_view(text), input}) {
    const InputFile file(bytes);
    taken(
        [&] {
          const base::Checkpoint checkpoint(file.path(), {{"option seed", "1"}});
          if (const auto part = checkpoint.recall("part")) read_part(*part);
        },
        file.path());
  }
  read_part(input);
}

}  // namespace interpole::fuzz
