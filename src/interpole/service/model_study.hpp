// The study that says how a model's data are read.
#pragma once

#include <string>
#include <vector>

#include "interpole/data_files.hpp"
#include "interpole/parameters.hpp"
#include "interpole/sink.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

// `study`: a study file, or empty for data that are a visits table. Throws an input error naming the first
// difference if the study's structure is not the model's.
Study study_of_model(const std::string& study, const std::string& model, const Structure& structure);

// Throws an input error naming the first difference between the structures of two model files.
void require_same_structure(const std::string& first, const Structure& of_first, const std::string& second,
                            const Structure& of_second);

// Throws an input error if outcomes are measured or visits have times, of what shows outcomes from a list
// alone and takes one visit like another. `what`: "export".
void require_listed_outcomes(const Structure& structure, const std::string& what);

// What a policy follows of these data and starts differ by (data/record_contexts.hpp); says which covariates
// the data do not have.
std::vector<PolicyCovariate> covariates_of(std::vector<PolicyCovariate> followed, const Study& study,
                                           const DataFiles& data, Sink& sink);
std::vector<PolicyCovariate> covariates_of(const Parameters& agent, const Study& study, const DataFiles& data,
                                           Sink& sink);

}  // namespace interpole::service
