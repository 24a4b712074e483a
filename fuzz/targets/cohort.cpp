#include "interpole/error.hpp"
#include "interpole/explain/cohorts/cohort_expression.hpp"
#include "target.hpp"
#include "targets.hpp"

namespace interpole::fuzz {

// The expression, a line end, then values of the covariates that it names.
void cohort(std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  try {
    const auto expression = explain::CohortExpression::parse(std::string(input.substr(0, end)));
    Bytes bytes(input.substr(std::min(end + 1, input.size())));
    std::vector<std::string> values;
    for (std::size_t i = 0; i < expression.names().size(); ++i) values.push_back(bytes.text(6));
    expression.holds(values);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::kUsage || error.kind() == ErrorKind::kInput,
            "an expression is wrong, or a value");
    require(is_safe_to_print(error.what()), "a message is safe to print");
  }
}

}  // namespace interpole::fuzz
