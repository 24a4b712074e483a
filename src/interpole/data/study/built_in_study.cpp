#include "interpole/data/study/built_in_study.hpp"

#include <fmt/format.h>

#include <array>

#include "interpole/error.hpp"

namespace interpole::data {
namespace {

struct BuiltIn {
  std::string_view name;
  std::string_view file;  // where the text comes from, for messages
  std::string_view text;
};

constexpr std::array kStudies = {
#include "built_in_studies.inc"  // cmake/built_in_studies.cmake
};

const BuiltIn& find(const std::string& name) {
  std::string known;
  for (const BuiltIn& study : kStudies) {
    if (study.name == name) return study;
    known += (known.empty() ? "" : ", ") + std::string(study.name);
  }
  throw usage_error(fmt::format("there is no built-in study \"{}\"; choose one of: {}", name, known));
}

}  // namespace

Study built_in_study(const std::string& name) {
  const BuiltIn& study = find(name);
  return parse_study(std::string(study.text), std::string(study.file));
}

std::string_view built_in_study_text(const std::string& name) {
  return find(name).text;
}

}  // namespace interpole::data
