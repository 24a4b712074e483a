// A second model of the same structure, beside the one that the explorer is about, on the same records.
#pragma once

#include "interpole/fit.hpp"
#include "interpole/service/explorer/explorer_data.hpp"
#include "interpole/service/explorer/explorer_json.hpp"
#include "interpole/sink.hpp"
#include "interpole/study.hpp"

namespace interpole::service {

// BesideJson of the document. Which patients the models see otherwise the page computes. Scores are compared
// on the same resampled patients. Throws an input error if the second model calls a record impossible.
ExplorerJson explorer_beside_json(const ExplorerRequest& request, const FitResult& first,
                                  const FitResult& second, const Study& study, Sink& sink);

}  // namespace interpole::service
