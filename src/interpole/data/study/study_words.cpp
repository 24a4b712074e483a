#include "interpole/data/study/study_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/files/text_file.hpp"
#include "interpole/data/study/study_toml.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kLongest = 40;  // bytes: headings and labels have to hold it

std::string word_of(const TomlValue& value) {
  std::string word = value.text();
  const bool blank = std::ranges::all_of(word, [](char c) { return c == ' '; });
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (blank) value.refuse("the word is empty; write what the page shall say, or remove the key");
  if (std::ranges::any_of(word, control)) value.refuse("a word is one line without control characters");
  if (word.size() > kLongest) {
    value.refuse(fmt::format("{} bytes are too long for headings; use at most {}", word.size(), kLongest));
  }
  return word;
}

StudyWord noun(const std::string& usual, const TomlValue& value) {
  if (!value.is_array()) {
    const std::string one = word_of(value);
    return {usual, one, one + "s"};
  }
  const std::vector<TomlValue> both =
      value.elements(2, "a list is the word for one and the word for several");
  return {usual, word_of(both[0]), word_of(both[1])};
}

}  // namespace

std::vector<StudyWord> read_words(const TomlValue& table) {
  table.require_known_keys({"patient", "visit", "test", "belated"});
  std::vector<StudyWord> words;
  for (const char* usual : {"patient", "visit", "test"}) {
    if (table.has(usual)) words.push_back(noun(usual, table.at(usual)));
  }
  if (table.has("belated")) words.push_back({"belated", word_of(table.at("belated")), ""});
  return words;
}

std::vector<StudyWord> read_study_words(const std::string& path) {
  const toml::table document = toml::parse(base::read_text_file(path, "study file"), path);
  const TomlValue root(path, document, "");
  return root.has("words") ? read_words(root.at("words")) : std::vector<StudyWord>();
}

}  // namespace interpole::data
