// The paper's studies, for a program that is run without their files: the same text as studies/*.toml.
#pragma once

#include <string>
#include <string_view>

#include "interpole/study.hpp"

namespace interpole::data {

// "diag", "bias", or "adni" (a table in ADNIMERGE's format). Throws a usage error that lists these otherwise.
Study built_in_study(const std::string& name);
std::string_view built_in_study_text(const std::string& name);

}  // namespace interpole::data
