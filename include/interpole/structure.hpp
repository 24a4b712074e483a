// What a decision problem is made of: named states, actions and outcomes, which actions end a record, and
// which outcomes each action can yield. Everything else (how likely, how decided) is in parameters.hpp.
//
// Outcomes are a list of names, or what was measured: a value of each factor, some of them missing, the
// factors independent given the state (docs/mathematics/measured-factors.md).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace interpole {

// Marks an outcome that was not recorded. The belief then moves by the transition alone.
inline constexpr int kMissing = -1;

// How the values of a measured factor are distributed in one state.
enum class Family {
  kCategorical,       // levels, a probability each; a value is the index of its level
  kOrdinal,           // levels in order, by cumulative logits
  kNormal,            // mean, standard deviation
  kLogNormal,         // median, standard deviation of the logarithm
  kStudent,           // location, scale, degrees of freedom
  kPoisson,           // mean
  kNegativeBinomial,  // mean, size: variance mean + mean²/size
};

// Something that is measured at a visit.
struct MeasuredFactor {
  std::string name;
  Family family = Family::kNormal;
  std::vector<std::string> levels{};  // of kCategorical and kOrdinal
  std::string unit{};                 // for people: "mmol/L"
  // Limits of detection: a value at one of them says "there or beyond". Of kNormal and kLogNormal.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  std::vector<char> yielded_by{};  // [action]; empty: by all that are not terminal
  // In what unit its parameters are learned, and where they are expected: a typical value and how far values
  // are spread (of kLogNormal, kPoisson and kNegativeBinomial: of their logarithm). Nothing: the data's.
  std::optional<double> centre{};
  std::optional<double> scale{};

  bool has_levels() const { return family == Family::kCategorical || family == Family::kOrdinal; }
  bool yielded(int action) const { return yielded_by.empty() || yielded_by[action] != 0; }
  bool operator==(const MeasuredFactor&) const = default;
};

// The distinct outcomes of measured factors, as they are met in data: Step::observation is a place in this
// table. It only grows; nobody may read it meanwhile.
class OutcomeTable {
 public:
  explicit OutcomeTable(std::size_t factors) : factors_(factors) {}

  // A value of each factor, NaN where there is none. kMissing if there is none at all.
  int place_of(std::span<const double> values);
  std::span<const double> at(int outcome) const {
    return std::span(values_).subspan(static_cast<std::size_t>(outcome) * factors_, factors_);
  }
  int size() const { return static_cast<int>(values_.size() / factors_); }

 private:
  std::size_t factors_;
  std::vector<double> values_;                            // [outcome·factors + f]
  std::unordered_multimap<std::uint64_t, int> outcomes_;  // by a hash of their bits
};

// How what happens between two visits depends on the time that passes (docs/mathematics/time.md).
enum class TimeRule {
  kGenerators,  // T_a(Δ) = exp(Q_a Δ): rates at which states change
  kSteps,       // T_a T_wait^(k−1), where Δ is k steps
};

// Visits at irregular times. Rows of Dynamics::transition are then those of a generator, in the form that
// rates_of() reads, or of one step.
struct VisitTime {
  std::string unit;  // for people: "days"
  TimeRule rule = TimeRule::kGenerators;
  // kSteps: one step. kGenerators: the gap by which rates are measured where they are learned; nothing: the
  // data's median, and 1 until they are known.
  std::optional<double> typical{};
  int wait = -1;  // kSteps: the action that stands for the further steps of a gap

  double typical_gap() const { return typical.value_or(1.0); }
  bool operator==(const VisitTime&) const = default;
};

// Marks a step after which no time passes, or of records without times.
inline constexpr int kNoGap = -1;

// The distinct gaps between visits, as they are met in data: Step::gap is a place in this table. It only
// grows; nobody may read it meanwhile.
class GapTable {
 public:
  // Gaps that agree in nine digits are one: differences of times have rounding in them.
  int place_of(double gap);
  double at(int gap) const { return gaps_[static_cast<std::size_t>(gap)]; }
  int size() const { return static_cast<int>(gaps_.size()); }

 private:
  std::vector<double> gaps_;
  std::unordered_map<double, int> places_;
};

// Which outcomes and gaps were met so far is no part of what a problem is.
struct GapsMet {
  std::shared_ptr<GapTable> table{};
  bool operator==(const GapsMet&) const { return true; }
};

struct OutcomesMet {
  std::shared_ptr<OutcomeTable> table{};
  bool operator==(const OutcomesMet&) const { return true; }
};

struct Structure {
  std::vector<std::string> states;
  std::vector<std::string> actions;
  std::vector<std::string> observations;  // none where factors are measured
  std::vector<char> terminal;             // [a]: the action ends the record and yields nothing
  std::vector<char> allowed;  // [a·Z + z]: action a can yield outcome z (a mask: declared, never learned)
  std::vector<MeasuredFactor> factors{};  // independent given the state; none: outcomes are `observations`
  OutcomesMet outcomes{};                 // of these factors
  std::optional<VisitTime> time{};        // nothing: every step is alike
  GapsMet gaps{};                         // between visits, where they have times
  // The outcome that stands for a result the table lacks: what an empty cell of a visits table means after an
  // action that can yield it. kMissing: there is none, and empty cells are missing outcomes.
  int not_recorded = kMissing;

  int state_count() const { return static_cast<int>(states.size()); }
  int action_count() const { return static_cast<int>(actions.size()); }
  int observation_count() const { return static_cast<int>(observations.size()); }
  bool is_terminal(int action) const { return terminal[action] != 0; }
  bool can_yield(int action, int observation) const {
    return allowed[static_cast<std::size_t>(action) * observations.size() + observation] != 0;
  }

  // Outcomes are places in the table of outcomes met, and a row (a,s') of Dynamics::observation are the
  // parameters of all factors, one after the other.
  bool measured() const { return !factors.empty(); }
  // Transitions depend on the time between visits.
  bool timed() const { return time.has_value(); }
  void set_time(const VisitTime& visit_time);
  // How many numbers a row of Dynamics::observation has, and what one of them is: a probability ("positive")
  // or a factor's parameter ("lactate median").
  int observation_columns() const;
  std::string column_name(int column) const;
  // "positive", or "lactate 3.1 mmol/L, pressure 62"; "nothing" for kMissing.
  std::string outcome_name(int observation) const;

  // −1 if there is none of that name.
  int find_state(const std::string& name) const;
  int find_action(const std::string& name) const;
  int find_observation(const std::string& name) const;

  // A structure in which no action is terminal and every action can yield every outcome.
  static Structure unrestricted(std::vector<std::string> states, std::vector<std::string> actions,
                                std::vector<std::string> observations);
  // The same with outcomes that are measured.
  static Structure of_factors(std::vector<std::string> states, std::vector<std::string> actions,
                              std::vector<MeasuredFactor> factors);
  // Declares an action terminal: it ends records and yields nothing.
  void make_terminal(int action);

  // Throws an input error that begins with `where` if names are empty, repeated or too many, or if arrays do
  // not fit.
  void validate(const std::string& where) const;

  bool operator==(const Structure&) const = default;
};

}  // namespace interpole
