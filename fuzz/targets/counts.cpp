#include <algorithm>

#include "clinic.hpp"
#include "interpole/data/counts/counts_key.hpp"
#include "interpole/data/counts/counts_table.hpp"
#include "interpole/data/counts/named_covariates.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

// The input is a sequence, a name of a column, and the rows of a table (its header and the study's key are
// added, so that what is changed is what is looked at).
void counts(std::string_view input) {
  const Study& study = clinic();
  const data::StepCodes codes(study.structure, false);
  std::vector<Step> steps;
  std::vector<std::int32_t> diagnoses;
  const std::string wrong = codes.decode(input, steps, diagnoses);
  require(is_safe_to_print(wrong), "a message is safe to print");
  if (wrong.empty()) require(codes.encode(steps) == input, "a sequence reads back");
  if (const auto name = data::covariate_of_column(input)) {
    require(data::covariate_of_column(data::covariate_column(*name)) == *name, "a name reads back");
  }
  if (std::count(input.begin(), input.end(), ',') == 0) return;  // no rows: DuckDB need not be asked
  const std::string key = "," + data::counts_key(study) + "\n";
  std::string text = "sequence,records,study_key\n";
  for (std::string_view rest = input; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text.append(rest.substr(0, end)).append(key);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const InputFile file(text, "in.csv");
  taken(
      [&] {
        const data::CountsTable table(file.path(), study);
        std::int64_t total = table.rare_records();
        table.for_each([&](const data::RecordView& record, auto) {
          total += record.count;
          return true;
        });
        require(total == table.total(), "records add up");
      },
      file.path());
}

}  // namespace interpole::fuzz
