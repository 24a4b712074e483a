#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "interpole/base/messages.hpp"
#include "interpole/planning/files/pomdp_file.hpp"
#include "interpole/planning/files/pomdp_names.hpp"
#include "interpole/planning/files/pomdp_rewards.hpp"
#include "interpole/planning/files/pomdp_text.hpp"

namespace interpole::planning {
namespace {

constexpr double kSumTolerance = 1e-6;
// Sums of as many rewards as anybody plans for are then finite, and have digits left below one.
constexpr double kMostReward = 1e12;
constexpr std::size_t kMostNumbers = 50'000'000;  // of one table: 400 MB

class Reader {
 public:
  Reader(const std::string& text, const std::string& where) : text_(text, where) {}

  Pomdp read() {
    while (!text_.at(TokenKind::kEnd)) statement();
    finish_preamble(text_.last_line());
    check_table({"T", "state", pomdp_.transition, transition_lines_, states_});
    check_table({"O", "next state", pomdp_.observation, observation_lines_, observations_});
    pomdp_.reward = mean_rewards(pomdp_, rewards_);
    return std::move(pomdp_);
  }

 private:
  // T: and O: have rows (action, state); any line may fill a part of them, and later lines override earlier.
  struct Table {
    const char* name;
    const char* row;  // what a row is of, besides the action
    std::vector<double>& numbers;
    std::vector<int>& lines;  // the last line that filled the row; 0: none
    const DeclaredNames& columns;
  };

  void statement() {
    const Token word = text_.next();
    if (word.kind == TokenKind::kWord) {
      if (word.text == "discount") return discount(word);
      if (word.text == "values") return values(word);
      if (word.text == "states") return names(word, states_, states_line_);
      if (word.text == "actions") return names(word, actions_, actions_line_);
      if (word.text == "observations") return names(word, observations_, observations_line_);
      if (word.text == "start") return start(word);
      if (word.text == "T") {
        return fill(word, {"T", "state", pomdp_.transition, transition_lines_, states_});
      }
      if (word.text == "O") {
        return fill(word, {"O", "next state", pomdp_.observation, observation_lines_, observations_});
      }
      if (word.text == "R") return reward(word);
    }
    static const std::vector<std::string> kWords = {"discount", "values", "states", "actions", "observations",
                                                    "start",    "T",      "O",      "R"};
    text_.refuse(word.line,
                 fmt::format("{} begins no statement{}", shown(word),
                             word.kind == TokenKind::kWord ? base::suggestion(word.text, kWords, "known are")
                                                           : "; is there something too many before it?"));
  }

  // ---- preamble

  void once(const Token& word, int& line) {
    if (line != 0) {
      text_.refuse(word.line,
                   fmt::format("\"{}:\" is given a second time; the first is on line {}", word.text, line));
    }
    if (!pomdp_.transition.empty()) {
      text_.refuse(word.line, fmt::format("\"{}:\" must come before the first T:, O: or R:", word.text));
    }
    line = word.line;
    text_.take_colon(word.text);
  }

  void discount(const Token& word) {
    once(word, discount_line_);
    pomdp_.discount = text_.number("the discount");
    if (pomdp_.discount < 0.0 || pomdp_.discount > 1.0) {
      text_.refuse(word.line, fmt::format("a discount of {}; it lies between 0 and 1", pomdp_.discount));
    }
  }

  void values(const Token& word) {
    once(word, values_line_);
    const Token kind = text_.next();
    if (kind.text != "reward" && kind.text != "cost") {
      text_.refuse(kind.line, fmt::format("values: {}; write reward or cost", shown(kind)));
    }
    pomdp_.goal = kind.text == "cost" ? Goal::kCost : Goal::kReward;
  }

  void names(const Token& word, DeclaredNames& names, int& line) {
    once(word, line);
    names.declare(text_, word.line);
  }

  // Everything after the preamble needs to know how large the problem is.
  void finish_preamble(int line) {
    if (!pomdp_.transition.empty()) return;
    if (discount_line_ == 0) refuse_without("discount", line);
    if (values_line_ == 0) refuse_without("values", line);
    for (const DeclaredNames* names : {&states_, &actions_, &observations_}) {
      if (!names->declared()) refuse_without(names->plural(), line);
    }
    const std::size_t S = states_.size();
    const std::size_t A = actions_.size();
    const std::size_t Z = observations_.size();
    if (S > kMostNumbers / A / std::max(S, Z)) {
      text_.refuse(line, fmt::format("{} states, {} actions and {} observations make tables of more than {} "
                                     "numbers; too large to plan with",
                                     S, A, Z, kMostNumbers));
    }
    pomdp_.states = states_.names();
    pomdp_.actions = actions_.names();
    pomdp_.observations = observations_.names();
    pomdp_.terminal.assign(A, 0);
    pomdp_.transition.assign(A * S * S, 0.0);
    pomdp_.observation.assign(A * S * Z, 0.0);
    transition_lines_.assign(A * S, 0);
    observation_lines_.assign(A * S, 0);
    if (pomdp_.start.empty()) pomdp_.start = uniform(S);
  }

  [[noreturn]] void refuse_without(const char* what, int line) const {
    text_.refuse(line, fmt::format("\"{}:\" is missing; a file begins with discount:, values:, states:, "
                                   "actions: and observations:",
                                   what));
  }

  // ---- start

  void start(const Token& word) {
    if (!states_.declared()) text_.refuse(word.line, "\"start\" needs the states; put \"states:\" above it");
    if (start_line_ != 0) {
      text_.refuse(word.line,
                   fmt::format("\"start\" is given a second time; the first is on line {}", start_line_));
    }
    if (reset_line_ != 0) {
      text_.refuse(word.line,
                   fmt::format("\"start\" must come before the \"reset\" of line {}", reset_line_));
    }
    start_line_ = word.line;
    const bool include = text_.take_word("include");
    const bool exclude = !include && text_.take_word("exclude");
    text_.take_colon(include ? "start include" : exclude ? "start exclude" : "start");
    pomdp_.start = include || exclude ? listed_start(word, exclude) : plain_start(word);
  }

  std::vector<double> listed_start(const Token& word, bool exclude) {
    std::set<std::size_t> listed;
    while (text_.at(TokenKind::kNumber) ||
           (text_.at(TokenKind::kWord) && !is_reserved_word(text_.peek().text))) {
      listed.insert(states_.refer_to_one(text_));
    }
    if (listed.empty()) text_.refuse(word.line, "no states are listed; name at least one");
    const std::size_t count = exclude ? states_.size() - listed.size() : listed.size();
    if (count == 0) text_.refuse(word.line, "every state is excluded; leave at least one");
    std::vector<double> belief(states_.size(), 0.0);
    for (std::size_t s = 0; s < belief.size(); ++s) {
      if (listed.contains(s) != exclude) belief[s] = 1.0 / static_cast<double>(count);
    }
    return belief;
  }

  std::vector<double> plain_start(const Token& word) {
    const std::size_t S = states_.size();
    if (text_.take_word("uniform")) return uniform(S);
    const bool alone = text_.peek(1).kind != TokenKind::kNumber;
    if (!text_.at(TokenKind::kNumber) || (alone && S > 1)) {
      std::vector<double> belief(S, 0.0);
      belief[states_.refer_to_one(text_)] = 1.0;
      return belief;
    }
    std::vector<double> belief = numbers(word, "start", S);
    check_row(belief, word.line, "start");
    return belief;
  }

  // ---- T: and O:

  void fill(const Token& word, const Table& table) {
    finish_preamble(word.line);
    text_.take_colon(word.text);
    const IndexRange actions = actions_.refer(text_);
    IndexRange rows{0, states_.size()};
    IndexRange columns{0, table.columns.size()};
    std::vector<double> given;  // one number, a row, or a row for each state
    if (!another_reference()) {
      given = matrix(word, table);
    } else {
      rows = states_.refer(text_);
      if (!another_reference()) {
        given = row(word, table);
      } else {
        columns = table.columns.refer(text_);
        given = {text_.number("a probability")};
      }
    }
    for (const double p : given) check_probability(p, word.line, table.name);
    for (std::size_t a = actions.begin; a < actions.end; ++a) {
      for (std::size_t s = rows.begin; s < rows.end; ++s) fill_row(word, table, a, s, columns, given);
    }
  }

  void fill_row(const Token& word, const Table& table, std::size_t action, std::size_t state,
                IndexRange columns, const std::vector<double>& given) {
    const std::size_t width = table.columns.size();
    const std::size_t row = action * states_.size() + state;
    for (std::size_t c = columns.begin; c < columns.end; ++c) {
      const std::size_t at = given.size() == 1 ? 0 : given.size() == width ? c : state * width + c;
      table.numbers[row * width + c] = given[at];
    }
    table.lines[row] = word.line;
  }

  bool another_reference() {
    if (!text_.at(TokenKind::kColon)) return false;
    text_.next();
    return true;
  }

  static std::vector<double> uniform(std::size_t size) {
    return std::vector<double>(size, 1.0 / static_cast<double>(size));
  }

  std::vector<double> matrix(const Token& word, const Table& table) {
    const std::size_t rows = states_.size();
    const std::size_t columns = table.columns.size();
    if (text_.take_word("uniform")) return uniform(columns);
    if (!text_.take_word("identity")) {
      return numbers(word, fmt::format("{}: a matrix", table.name), rows * columns);
    }
    if (rows != columns) {
      text_.refuse(word.line,
                   fmt::format("{}: identity needs as many observations as states; there are {} and "
                               "{}",
                               table.name, columns, rows));
    }
    std::vector<double> result(rows * columns, 0.0);
    for (std::size_t i = 0; i < rows; ++i) result[i * columns + i] = 1.0;
    return result;
  }

  std::vector<double> row(const Token& word, const Table& table) {
    if (text_.take_word("uniform")) return uniform(table.columns.size());
    if (!text_.take_word("reset")) {
      return numbers(word, fmt::format("{}: a row", table.name), table.columns.size());
    }
    if (&table.numbers != &pomdp_.transition) {
      text_.refuse(word.line, "reset is for T: only; it stands for the start belief");
    }
    reset_line_ = word.line;
    return pomdp_.start;
  }

  // ---- R:

  void reward(const Token& word) {
    finish_preamble(word.line);
    text_.take_colon(word.text);
    RewardRule rule;
    rule.action = one_or_every(actions_);
    text_.take_colon("R: action");
    rule.from = one_or_every(states_);
    if (!another_reference()) {
      rule.values = numbers(word, "R: a matrix", states_.size() * observations_.size());
    } else {
      rule.to = one_or_every(states_);
      if (!another_reference()) {
        rule.values = numbers(word, "R: a row", observations_.size());
      } else {
        rule.observation = one_or_every(observations_);
        rule.values = {text_.number("a reward")};
      }
    }
    for (const double value : rule.values) check_reward(value, word.line);
    rewards_.push_back(std::move(rule));
  }

  int one_or_every(const DeclaredNames& names) {
    const bool every = text_.at(TokenKind::kStar);
    const IndexRange range = names.refer(text_);
    return every ? kEvery : static_cast<int>(range.begin);
  }

  // ---- numbers

  std::vector<double> numbers(const Token& word, const std::string& what, std::size_t wanted) {
    std::vector<double> result = text_.numbers(wanted);
    if (result.size() == wanted) return result;
    text_.refuse(word.line, result.size() > wanted
                                ? fmt::format("{}: more than {} numbers follow; remove some", what, wanted)
                                : fmt::format("{}: {} numbers follow, then {}; {} are needed", what,
                                              result.size(), shown(text_.peek()), wanted));
  }

  void check_probability(double p, int line, const std::string& what) const {
    if (p < 0.0 || p > 1.0 + kSumTolerance) {
      text_.refuse(line, fmt::format("{}: {} is not a probability; it lies between 0 and 1", what, p));
    }
  }

  void check_reward(double value, int line) const {
    if (std::abs(value) <= kMostReward) return;
    text_.refuse(line, fmt::format("R: {:g} is too large to plan with, {:g} is the most; state rewards in a "
                                   "larger unit",
                                   value, kMostReward));
  }

  // A row sums to one within 1e-6. What printed digits left out is divided out; a row that is right as well
  // as additions can tell stays as it is, to the last bit.
  void check_row(std::span<double> row, int line, const std::string& what) const {
    double sum = 0.0;
    for (const double p : row) {
      check_probability(p, line, what);
      sum += p;
    }
    if (std::abs(sum - 1.0) > kSumTolerance) {
      text_.refuse(line, fmt::format("{}: the row sums to {}, not to 1; correct its numbers", what, sum));
    }
    const double rounding = 4.0 * static_cast<double>(row.size()) * 0x1.0p-52;
    if (std::abs(sum - 1.0) <= rounding) return;
    for (double& p : row) p /= sum;
  }

  void check_table(const Table& table) const {
    const std::size_t width = table.columns.size();
    for (std::size_t i = 0; i < table.lines.size(); ++i) {
      const std::string what =
          fmt::format("{}: action \"{}\", {} \"{}\"", table.name, actions_.names()[i / states_.size()],
                      table.row, states_.names()[i % states_.size()]);
      if (table.lines[i] == 0) {
        text_.refuse(text_.last_line(), fmt::format("{}: nothing is given; add its row", what));
      }
      check_row(std::span(table.numbers).subspan(i * width, width), table.lines[i], what);
    }
  }

  PomdpText text_;
  Pomdp pomdp_;
  DeclaredNames states_{"state", "states"};
  DeclaredNames actions_{"action", "actions"};
  DeclaredNames observations_{"observation", "observations"};
  int discount_line_ = 0;  // 0: not given yet
  int values_line_ = 0;
  int states_line_ = 0;
  int actions_line_ = 0;
  int observations_line_ = 0;
  int start_line_ = 0;
  int reset_line_ = 0;
  std::vector<int> transition_lines_;
  std::vector<int> observation_lines_;
  std::vector<RewardRule> rewards_;
};

}  // namespace

Pomdp parse_pomdp(const std::string& text, const std::string& where) {
  return Reader(text, where).read();
}

Pomdp read_pomdp(const std::string& path) {
  return parse_pomdp(read_planning_file(path), path);
}

}  // namespace interpole::planning
