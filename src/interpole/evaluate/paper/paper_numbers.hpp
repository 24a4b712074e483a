// What the paper reports in its Tables 2, 3 and 4, to be shown beside what we find.
//
// The authors' figures come from one simulated data set (Tables 3 and 4: ± is the standard deviation over
// five batches of decisions of fresh patients) or from the five folds of the real ADNI (Table 2).
#pragma once

#include <optional>
#include <string_view>

namespace interpole::evaluate {

struct PaperFigure {
  double mean = 0.0;
  double deviation = 0.0;  // what stands behind the paper's ±
};

// `table`: 2 (ADNI), 3 (DIAG), 4 (BIAS). `algorithm`: as printed there. `score`: as our files name it, in our
// units (mismatches in nats, not thousandths). Nothing where the paper has no figure.
std::optional<PaperFigure> paper_figure(int table, std::string_view algorithm, std::string_view score);

}  // namespace interpole::evaluate
