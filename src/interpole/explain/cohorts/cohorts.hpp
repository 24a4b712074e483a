// The paper's two tables: how frequent flags are in each cohort, and what flagged patients are like. Small
// counts are withheld (disclosure/suppression.hpp); what is withheld is not in these structs at all.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpole/explain/audit/node_flags.hpp"
#include "interpole/explain/cohorts/cohort_expression.hpp"
#include "interpole/explain/cohorts/proportions.hpp"

namespace interpole::explain {

enum class FlagKind { kBelated, kUninformativeTests, kUninformativePatients, kUnlikely };
inline constexpr int kFlagKinds = 4;

inline constexpr char kAllPatients[] = "all patients";  // the name of the first row of all tables

// A row of a table of the same patients that is public already.
struct PublishedCohort {
  std::string cohort;  // an expression, or kAllPatients
  bool group = false;  // rather a group of the study, as named_groups has it
  bool patients = false;
  std::array<bool, kFlagKinds> flags{};
  bool operator==(const PublishedCohort&) const = default;
};

struct CohortOptions {
  std::int64_t min_cell = 11;                // counts from 1 to below this are withheld; 0 or 1: none is
  double level = 0.95;                       // of intervals
  std::vector<PublishedCohort> published{};  // beside which the tables must be safe too
  void validate() const;                     // throws a usage error
};

// What the audit says of one patient.
struct PatientFlags {
  bool belated = false;
  bool unlikely = false;
  int tests = 0;
  int uninformative = 0;
  // The same by each of a few posterior draws, whatever is certain; 0: not known.
  int imputed = 0;
  std::uint32_t belated_in = 0;                                // a bit for each draw
  std::array<std::uint16_t, kImputations> uninformative_in{};  // [draw]
};

// The patients of an audit with their covariates, as far as tables need them.
class CohortData {
 public:
  explicit CohortData(std::vector<std::string> covariates);

  // `values` as the covariates are listed; an empty text: not recorded. `group`: as the study's [group] says;
  // empty: none.
  void add(const PatientFlags& flags, std::span<const std::string> values, std::string_view group = {});
  // For patients added before they could be judged.
  void judge(std::size_t patient, const PatientFlags& flags) { flags_[patient] = flags; }

  const std::vector<std::string>& covariates() const { return covariates_; }
  std::size_t patients() const { return flags_.size(); }
  const PatientFlags& flags(std::size_t patient) const { return flags_[patient]; }
  const std::string& value(std::size_t patient, std::size_t covariate) const {
    return texts_[covariate][codes_[patient * covariates_.size() + covariate]];
  }
  const std::vector<std::string>& texts(std::size_t covariate) const { return texts_[covariate]; }
  const std::string& group(std::size_t patient) const { return groups_[group_codes_[patient]]; }
  bool has_groups() const { return groups_.size() > 1; }

 private:
  std::vector<std::string> covariates_;
  std::vector<std::string> groups_ = {""};
  std::map<std::string, std::int32_t, std::less<>> group_index_ = {{"", 0}};
  std::vector<std::int32_t> group_codes_;  // [patient]
  std::vector<PatientFlags> flags_;
  std::vector<std::int32_t> codes_;              // [patient·covariates + covariate]
  std::vector<std::vector<std::string>> texts_;  // [covariate]: distinct values
  std::vector<std::map<std::string, std::int32_t, std::less<>>> index_;
};

// A cohort for every covariate that is true or false, and one for each value of those with a few; ones with
// many values (ages) make none.
std::vector<CohortExpression> default_cohorts(const CohortData& data,
                                              std::span<const std::string> covariates);

// [patient][cohort]
std::vector<std::vector<Membership>> memberships(const CohortData& data,
                                                 const std::vector<CohortExpression>& cohorts);

struct CohortShare {
  std::int64_t flagged = 0;
  std::int64_t total = 0;
  Estimate share;  // with its interval
  // Of the cohort against the rest, with flags as uncertain as posterior draws have them; none for all
  // patients. Adjusted for the number of cohorts that are compared (Holm).
  std::optional<double> p_value, p_adjusted;
};

struct CohortRow {
  std::string name;
  std::optional<std::int64_t> patients;                      // none: withheld
  std::array<std::optional<CohortShare>, kFlagKinds> flags;  // none: withheld, or nothing to count
  // How many of the patients with a flag are in this cohort; none: withheld. By kind, patients only.
  std::array<std::optional<Estimate>, kFlagKinds> of_flagged;
  std::optional<Estimate> of_all;
};

// Mean and standard deviation of a number, over all patients and over flagged ones.
struct CohortMean {
  std::string covariate;
  struct Moments {
    double mean = 0.0, sd = 0.0;
  };
  std::optional<Moments> all;
  std::array<std::optional<Moments>, kFlagKinds> flagged;
};

struct GroupSize {
  std::string group;
  std::optional<std::int64_t> patients;
};

struct CohortTables {
  std::vector<CohortRow> rows;  // the first has all patients
  std::vector<CohortMean> means;
  // How many patients each group of the study has, in the order of named_groups; none: withheld. Whoever
  // compares the groups shows these, and the other rows are safe beside them.
  std::vector<GroupSize> groups;
  bool withheld = false;  // anything at all
};

// Throws an input error if what is published already gives away a small count of these cohorts, whatever they
// show themselves.
CohortTables cohort_tables(const CohortData& data, const std::vector<CohortExpression>& cohorts,
                           const CohortOptions& options);

bool says_nothing(const CohortRow& row);
// Of default_cohorts, one of which nothing may be told is not named either: a rare category names somebody.
void leave_out_unnameable(CohortTables& tables);

// What the tables told, for tables that come after them.
std::vector<PublishedCohort> published_by(const CohortTables& tables);

}  // namespace interpole::explain
