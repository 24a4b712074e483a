// The reproduced table as text for people, CSV, LaTeX and JSON. None of them holds a time: the same settings
// give the same bytes.
#pragma once

#include <string>

#include "interpole/service/evaluate/reproduce_task.hpp"

namespace interpole::service {

std::string reproduced_text(const ReproduceOutcome& outcome);   // aligned columns, notes below
std::string reproduced_csv(const ReproduceOutcome& outcome);    // one line for each learner and score
std::string reproduced_latex(const ReproduceOutcome& outcome);  // needs the package booktabs
std::string to_json(const ReproduceOutcome& outcome);

std::string runs_csv(const ReproduceOutcome& outcome);     // one line for each data set and learner
std::string seconds_csv(const ReproduceOutcome& outcome);  // processor time of their fits

// "10 data sets of 100 patients, seeds 1 to 10": what was done, for headings.
std::string reproduced_settings(const ReproduceOutcome& outcome);

}  // namespace interpole::service
