// The table [words] of a study: what those who read its page call a patient, a visit, a test. It changes
// words on the page, nothing that is learned, and so is no part of Study.
#pragma once

#include <string>
#include <vector>

namespace interpole::data {

class TomlValue;

// What the page says unless told otherwise, and what it says instead. `many`: its plural; empty where the
// word has none ("belated").
struct StudyWord {
  std::string usual;
  std::string one;
  std::string many;
  bool operator==(const StudyWord&) const = default;
};

// Those that the table states, in the order patient, visit, test, belated.
std::vector<StudyWord> read_words(const TomlValue& table);

// Of a study file that can be read as one (read_study); none: it states no words.
std::vector<StudyWord> read_study_words(const std::string& path);

}  // namespace interpole::data
