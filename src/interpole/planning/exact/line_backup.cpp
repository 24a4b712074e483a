#include <utility>

#include "interpole/planning/exact/backup.hpp"
#include "interpole/planning/exact/envelope.hpp"

namespace interpole::planning {
namespace {

std::vector<Line> lines_of(const AlphaVectors& vectors) {
  std::vector<Line> lines(vectors.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] = {vectors.values[2 * i], vectors.values[2 * i + 1], vectors.actions[i]};
  }
  return lines;
}

class LineBackup : public Backup {
 public:
  LineBackup(const Pomdp& pomdp, double tolerance) : pomdp_(pomdp), tolerance_(tolerance) {}

  AlphaVectors apply(const AlphaVectors& next) override {
    std::vector<Line> all;
    for (int a = 0; a < pomdp_.action_count(); ++a) {
      const Envelope of_action = envelope_of(a, next);
      all.insert(all.end(), of_action.begin(), of_action.end());
    }
    AlphaVectors result{2, {}, {}};
    for (const Line& line : upper_envelope(std::move(all), tolerance_)) {
      result.add(line.action, {{line.at0, line.at1}});
    }
    return result;
  }

  ValueChange change(const AlphaVectors& after, const AlphaVectors& before, double) override {
    const Envelope a = upper_envelope(lines_of(after), 0.0);
    const Envelope b = upper_envelope(lines_of(before), 0.0);
    return {-largest_excess(b, a), largest_excess(a, b), true};
  }

  void set_tolerance(double tolerance) override { tolerance_ = tolerance; }
  long programs() const override { return 0; }
  double stage_error() const override { return tolerance_ * prunings_per_stage(pomdp_); }

 private:
  Envelope envelope_of(int action, const AlphaVectors& next) const {
    Envelope sum = {{pomdp_.gain(action, 0), pomdp_.gain(action, 1), action}};
    if (pomdp_.is_terminal(action)) return sum;
    for (int z = 0; z < pomdp_.observation_count(); ++z) {
      sum = sum_of(sum, upper_envelope(lines_of(project(pomdp_, action, z, next)), tolerance_));
    }
    return sum;
  }

  const Pomdp& pomdp_;
  double tolerance_;
};

}  // namespace

std::unique_ptr<Backup> line_backup(const Pomdp& pomdp, double tolerance) {
  return std::make_unique<LineBackup>(pomdp, tolerance);
}

}  // namespace interpole::planning
