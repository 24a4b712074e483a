#include "interpole/explain/disclosure/suppression.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "interpole/error.hpp"
#include "interpole/explain/disclosure/disclosure.hpp"

namespace interpole::explain {
std::int64_t sum_over(const PartSet& set, const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < set.size(); ++i) sum += set[i] != 0 ? counts[i] : 0;
  return sum;
}

namespace {

constexpr double kSlack = 1e-6;  // of linear programs

// What a reader can work out. Variables: flagged ones of every part, then others of every part.
class Reader {
 public:
  Reader(const std::vector<TableRow>& rows, const PartCounts& counts, const std::vector<char>& total_shown)
      : rows_(rows), counts_(counts), total_shown_(total_shown), parts_(counts.flagged.size()) {}

  // How far apart the smallest and the largest possible whole value of a sum over `set` are. An insider knows
  // how many patients (tests) each part has, and how many are flagged in all; others know what is published.
  double room(const PartSet& set, bool flagged, const std::vector<char>& shown, bool insider) const {
    ClpSimplex program;
    program.setLogLevel(0);
    load(program, shown, insider);
    for (std::size_t i = 0; i < parts_; ++i) {
      program.setObjectiveCoefficient(static_cast<int>(flagged ? i : parts_ + i), set[i] != 0 ? 1.0 : 0.0);
    }
    program.setOptimizationDirection(1.0);
    const double least = std::ceil(solve(program) - kSlack);
    program.setOptimizationDirection(-1.0);
    return std::floor(solve(program) + kSlack) - least;
  }

 private:
  void load(ClpSimplex& program, const std::vector<char>& shown, bool insider) const {
    CoinPackedMatrix matrix(false, 0, 0);
    matrix.setDimensions(0, static_cast<int>(2 * parts_));
    std::vector<double> values;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (const PartSet& set : rows_[row].sets) {
        if (shown[row] != 0) {
          append(matrix, set, true, false);
          values.push_back(static_cast<double>(sum_over(set, counts_.flagged)));
        }
        if (shown[row] != 0 || total_shown_[row] != 0) {
          append(matrix, set, true, true);
          values.push_back(
              static_cast<double>(sum_over(set, counts_.flagged) + sum_over(set, counts_.others)));
        }
      }
    }
    for (std::size_t i = 0; insider && i < parts_; ++i) {
      const std::array<int, 2> both = {static_cast<int>(i), static_cast<int>(parts_ + i)};
      const std::array<double, 2> ones = {1.0, 1.0};
      matrix.appendRow(2, both.data(), ones.data());
      values.push_back(static_cast<double>(counts_.flagged[i] + counts_.others[i]));
    }
    if (insider) {
      const PartSet all(parts_, 1);
      append(matrix, all, true, false);
      values.push_back(static_cast<double>(sum_over(all, counts_.flagged)));
    }
    const std::vector<double> zero(2 * parts_, 0.0);
    const std::vector<double> free(2 * parts_, COIN_DBL_MAX);
    program.loadProblem(matrix, zero.data(), free.data(), zero.data(), values.data(), values.data());
  }

  void append(CoinPackedMatrix& matrix, const PartSet& set, bool flagged, bool others) const {
    std::vector<int> columns;
    for (std::size_t i = 0; i < parts_; ++i) {
      if (set[i] == 0) continue;
      if (flagged) columns.push_back(static_cast<int>(i));
      if (others) columns.push_back(static_cast<int>(parts_ + i));
    }
    const std::vector<double> ones(columns.size(), 1.0);
    matrix.appendRow(static_cast<int>(columns.size()), columns.data(), ones.data());
  }

  static double solve(ClpSimplex& program) {
    program.primal();
    if (program.status() == 2) return INFINITY;
    if (program.status() != 0)
      throw runtime_error("a linear program of small-cell suppression was not solved");
    return program.objectiveValue();
  }

  const std::vector<TableRow>& rows_;
  const PartCounts& counts_;
  const std::vector<char>& total_shown_;
  std::size_t parts_;
};

// A count that must not be told.
struct Secret {
  PartSet set;
  bool flagged = true;
};

std::vector<Secret> secrets_of(const std::vector<TableRow>& rows, const PartCounts& counts,
                               std::int64_t min_cell) {
  std::set<PartSet> sets;
  for (const TableRow& row : rows) {
    sets.insert(row.sets.begin(), row.sets.end());
    sets.insert(row.watched.begin(), row.watched.end());
  }
  const std::vector<PartSet> single(sets.begin(), sets.end());
  for (std::size_t i = 0; i < single.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      PartSet both = single[i];
      for (std::size_t k = 0; k < both.size(); ++k) both[k] = both[k] != 0 && single[j][k] != 0 ? 1 : 0;
      sets.insert(both);
    }
  }
  std::vector<Secret> secrets;
  for (const PartSet& set : sets) {
    if (is_small(sum_over(set, counts.flagged), min_cell)) secrets.push_back({set, true});
    // Where nobody is flagged, the others are the whole set: a size, protected as such.
    const bool mixed = sum_over(set, counts.flagged) > 0;
    if (mixed && is_small(sum_over(set, counts.others), min_cell)) secrets.push_back({set, false});
  }
  return secrets;
}

bool has_small_count(const TableRow& row, const PartCounts& counts, std::int64_t min_cell) {
  return std::any_of(row.sets.begin(), row.sets.end(), [&](const PartSet& set) {
    return is_small(sum_over(set, counts.flagged), min_cell) ||
           is_small(sum_over(set, counts.others), min_cell) ||
           is_small(sum_over(set, counts.flagged_people), min_cell) ||
           is_small(sum_over(set, counts.other_people), min_cell);
  });
}

// The first in order without which all is safe, or else the first that is shown; `rows`, their number: none
// is.
template <class IsSafe>
std::size_t row_to_give_up(std::size_t rows, const std::vector<std::size_t>& order,
                           const std::vector<char>& shown, const IsSafe& is_safe) {
  std::size_t first = rows;
  for (const std::size_t row : order) {
    if (shown[row] == 0) continue;
    if (first == rows) first = row;
    auto without = shown;
    without[row] = 0;
    if (is_safe(without)) return row;
  }
  return first;
}

}  // namespace

Publishable publishable(const std::vector<TableRow>& rows, const PartCounts& counts,
                        const std::vector<char>& total_shown, std::int64_t min_cell,
                        const std::vector<char>& told) {
  Publishable result;
  std::vector<char>& shown = result.shown;
  shown.assign(rows.size(), 1);
  if (min_cell <= 1) return result;
  const auto is_told = [&](std::size_t row) { return !told.empty() && told[row] != 0; };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    shown[row] = is_told(row) || !has_small_count(rows[row], counts, min_cell) ? 1 : 0;
  }
  std::vector<std::size_t> order;  // in which rows are given up: small cohorts first, all last
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!is_told(row)) order.push_back(row);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    if (x == 0 || y == 0) return y == 0 && x != 0;
    return sum_over(rows[x].sets[0], counts.flagged) < sum_over(rows[y].sets[0], counts.flagged);
  });
  const Reader reader(rows, counts, total_shown);
  const PartSet all(counts.flagged.size(), 1);
  const std::int64_t flagged = sum_over(all, counts.flagged);
  const std::int64_t others = sum_over(all, counts.others);
  for (const Secret& secret : secrets_of(rows, counts, min_cell)) {
    const std::int64_t size = sum_over(secret.set, counts.flagged) + sum_over(secret.set, counts.others);
    // Of counts that are sizes an insider has nothing to learn, nor of all patients together.
    const bool hidden_from_insider = others > 0 && secret.set != all;
    const std::vector<char> none(rows.size(), 0);
    const auto room = [&](const std::vector<char>& rows_shown, bool insider) {
      return reader.room(secret.set, secret.flagged, rows_shown, insider);
    };
    auto enough = static_cast<double>(min_cell);
    auto doubt = static_cast<double>(std::min({std::int64_t{2}, size, secret.flagged ? flagged : others}));
    const auto is_safe = [&](const std::vector<char>& rows_shown) {
      return room(rows_shown, false) >= enough && (!hidden_from_insider || room(rows_shown, true) >= doubt);
    };
    if (is_safe(shown)) continue;
    // Of all patients but one, all flagged ones but one are among them, whatever is withheld: no more can be
    // asked for than what is left where nothing is shown, and no less.
    enough = std::min(enough, room(none, false));
    if (hidden_from_insider) doubt = std::min(doubt, room(none, true));
    while (!is_safe(shown)) {
      const std::size_t row = row_to_give_up(rows.size(), order, shown, is_safe);
      if (row == rows.size()) {  // what is left is public already
        result.too_late = true;
        break;
      }
      shown[row] = 0;
    }
  }
  return result;
}

}  // namespace interpole::explain
