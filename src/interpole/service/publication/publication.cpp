#include "interpole/service/publication/publication.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interpole/base/files/hash.hpp"
#include "interpole/error.hpp"
#include "interpole/service/run_fingerprint.hpp"

namespace interpole::service {

std::optional<explain::Ledger> open_ledger(const Publication& publication, const PublishedFlags* flags) {
  if (publication.ledger.empty()) return std::nullopt;
  if (publication.min_cell <= 1) {
    throw usage_error(
        "option ledger: with this min-cell nothing is withheld, and nothing can be kept safe; "
        "choose 2 or more");
  }
  explain::LedgerFacts of = data_digests(publication.data);
  of.emplace_back("study's SHA-256",
                  publication.study.empty() ? "" : base::sha256_of_file(publication.study));
  of.emplace_back("min-cell", fmt::format("{}", publication.min_cell));
  explain::LedgerFacts by;
  if (flags != nullptr) {
    const AuditOptions& rules = flags->rules;
    by = {{"model's SHA-256", base::sha256_of_file(flags->model)},
          {"draws' SHA-256", flags->draws.empty() ? "" : base::sha256_of_file(flags->draws)},
          {"near-certain", fmt::format("{}", rules.near_certain)},
          {"insignificant", fmt::format("{}", rules.insignificant)},
          {"false-discoveries", fmt::format("{}", rules.false_discoveries)},
          {"certainty", fmt::format("{}", rules.certainty)},
          {"test", fmt::format("{}", fmt::join(rules.tests, ", "))}};
  }
  return explain::Ledger(publication.ledger, std::move(of), std::move(by));
}

}  // namespace interpole::service
