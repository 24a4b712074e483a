// The paper's Figure 5 of the first data set: the true decision-maker beside those that learners find.
#pragma once

#include <string>

#include "interpole/service/evaluate/reproduce_jobs.hpp"
#include "interpole/sink.hpp"

namespace interpole::service {

// An SVG file. Fits PO-MB-IL, INTERPOLE shared and coupled again, as the table did: they take no time. Empty,
// with a warning, if one of them cannot learn or the user stops it.
std::string figure_of_minds(const ReproducePlan& plan, Sink& sink);

}  // namespace interpole::service
