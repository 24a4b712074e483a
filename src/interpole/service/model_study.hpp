// The study that says how a model's data are read.
#pragma once

#include <string>

#include "interpole/study.hpp"

namespace interpole::service {

// `study`: a study file, or empty for data that are a visits table. Throws an input error naming the first
// difference if the study's structure is not the model's.
Study study_of_model(const std::string& study, const std::string& model, const Structure& structure);

}  // namespace interpole::service
