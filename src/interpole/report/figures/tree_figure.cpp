// A guideline as a tree from top to bottom. Every step has a column as wide as all that follows from it, so
// that nothing beside it can run into it; texts are cut to their column.
#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/number_text.hpp"
#include "interpole/report/figures/figure.hpp"
#include "interpole/report/figures/figure_style.hpp"

namespace interpole::report {
namespace {

constexpr double kTreeLeastWidth = 760;
constexpr double kTreeColumn = 172;  // of a step nothing follows
constexpr double kTreePad = 9;
constexpr double kTreeStepText = 12.5;
constexpr int kTreeNameLines = 4;  // of an action
constexpr int kTreeQuestionLines = 6;
constexpr int kTreeResultLines = 4;  // of a result with its numbers

// With draws, the middle of them: the single best fit may sit at the edge of what is plausible.
std::string with_range(double value, const std::optional<Estimate>& range) {
  if (!range) return base::percent(value);
  return fmt::format("{} [{}–{}]", base::percent(range->middle), base::percent(range->low),
                     base::percent(range->high));
}

// The texts of one step and where they go.
struct Box {
  double left = 0.0, width = 0.0;  // of its column
  std::vector<std::string> name, share, question;
  std::vector<std::string> label;  // of the branch that leads here
  std::string answer;              // "no", "yes", over the label; may be empty
  double height = 0.0;             // of the step with its question
  double centre() const { return left + width / 2; }
};

class TreePainter {
 public:
  TreePainter(const Structure& structure, const explain::Guideline& guideline, bool ranges)
      : structure_(structure), guideline_(guideline), ranges_(ranges), boxes_(guideline.steps.size()) {
    page_ = std::max(kTreeLeastWidth, width_of(0) + 2 * kMargin);
    place(0, kMargin, page_ - 2 * kMargin);
    for (std::size_t i = 0; i < boxes_.size(); ++i) write(static_cast<int>(i));
  }

  double page() const { return page_; }

  double draw(Drawing& drawing, double y) const {
    int depth = 0;
    for (const explain::GuidelineStep& step : guideline_.steps) depth = std::max(depth, step.depth);
    double bottom = y;
    for (int level = 0; level <= depth; ++level) {
      double tallest = 0.0;
      double label = 0.0;
      for_level(level, [&](int i) { tallest = std::max(tallest, boxes_[i].height); });
      for_level(level + 1, [&](int i) { label = std::max(label, label_height(boxes_[i])); });
      const double next = y + tallest + (label > 0.0 ? label + 44 : 0.0);
      for_level(level, [&](int i) { draw_step(drawing, i, y, y + tallest, next); });
      bottom = y + tallest;
      y = next;
    }
    return bottom + 20;
  }

 private:
  template <class Visit>
  void for_level(int level, const Visit& visit) const {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (guideline_.steps[i].depth == level) visit(static_cast<int>(i));
    }
  }

  double width_of(int i) const {
    double sum = 0.0;
    for (const explain::GuidelineBranch& branch : guideline_.steps[i].branches) sum += width_of(branch.next);
    return std::max(kTreeColumn, sum);
  }

  // Columns share the room of their parent in proportion to what they need.
  void place(int i, double left, double width) {
    boxes_[i].left = left;
    boxes_[i].width = width;
    const double needed = width_of(i);
    for (const explain::GuidelineBranch& branch : guideline_.steps[i].branches) {
      const double part =
          guideline_.steps[i].branches.size() == 1 ? width : width * width_of(branch.next) / needed;
      place(branch.next, left, part);
      left += part;
    }
  }

  double room(const Box& box) const { return std::min(box.width - 14, 300.0) - 2 * kTreePad; }

  void write(int i) {
    const explain::GuidelineStep& step = guideline_.steps[i];
    Box& box = boxes_[i];
    box.name = broken_lines(structure_.actions[step.action], room(box), kTreeStepText, kTreeNameLines, true);
    box.share = {
        on_one_line(fmt::format("{} of patients", base::percent(step.share)), room(box), kSmallText)};
    if (step.goes_on) box.share.push_back(on_one_line("and so on", room(box), kSmallText));
    if (step.question) {
      box.question =
          broken_lines(fmt::format("Is the belief in {} above {}?", structure_.states[step.question->state],
                                   with_range(step.question->threshold, step.question->range)),
                       room(box), kNormal, kTreeQuestionLines, true);
    }
    box.height = name_height(box) + question_height(box);
    for (std::size_t k = 0; k < step.branches.size(); ++k) write_label(step, k);
  }

  void write_label(const explain::GuidelineStep& step, std::size_t number) {
    const explain::GuidelineBranch& branch = step.branches[number];
    Box& box = boxes_[branch.next];
    if (step.question) box.answer = number == 0 ? "no" : "yes";
    const double width = box.width - 12;
    constexpr std::size_t kMostResults = 6;
    for (std::size_t k = 0; k < branch.results.size(); ++k) {
      if (k == kMostResults) {
        box.label.push_back(fmt::format("and {} more", branch.results.size() - k));
        break;
      }
      const auto& result = branch.results[k];
      std::string text = structure_.observations[result.observation];
      if (result.share < 0.995) text += fmt::format(" ({} of them)", base::percent(result.share));
      if (step.question) {
        text += ": " + with_range(result.belief, ranges_ ? std::optional(result.belief_range) : std::nullopt);
      }
      for (std::string& line : broken_lines(text, width, kSmallText, kTreeResultLines))
        box.label.push_back(std::move(line));
    }
  }

  static double name_height(const Box& box) {
    return line_height(kTreeStepText) * static_cast<double>(box.name.size()) +
           line_height(kSmallText) * static_cast<double>(box.share.size()) + 2 * kTreePad;
  }
  static double question_height(const Box& box) {
    if (box.question.empty()) return 0.0;
    return 22 + line_height(kNormal) * static_cast<double>(box.question.size()) + 2 * kTreePad;
  }
  static double label_height(const Box& box) {
    return line_height(kSmallText) * static_cast<double>(box.label.size() + (box.answer.empty() ? 0 : 1));
  }

  // From `top` on; arrows leave at `bottom`, the same for the whole level, and end at `next`.
  void draw_step(Drawing& drawing, int i, double top, double bottom, double next) const {
    const Box& box = boxes_[i];
    const explain::GuidelineStep& step = guideline_.steps[i];
    draw_action(drawing, box, step.action, top);
    if (!box.question.empty()) draw_question(drawing, box, top + name_height(box));
    if (step.branches.empty()) return;
    const double foot = bottom + 12;
    const Pen pen{kInk, 1.1, {}};
    drawing.line({box.centre(), top + box.height}, {box.centre(), foot}, pen);
    const double first = boxes_[step.branches.front().next].centre();
    const double last = boxes_[step.branches.back().next].centre();
    drawing.line({std::min(first, box.centre()), foot}, {std::max(last, box.centre()), foot}, pen);
    for (const explain::GuidelineBranch& branch : step.branches) {
      const Box& child = boxes_[branch.next];
      drawing.line({child.centre(), foot}, {child.centre(), foot + 8}, pen);
      const double text = foot + 8 + kSmallText + 2;
      double y = text;
      if (!child.answer.empty()) {
        drawing.text({{child.centre(), y}, child.answer, kSmallText, Anchor::kMiddle, true});
        y += line_height(kSmallText);
      }
      y = draw_lines(drawing, {{child.centre(), y}, "", kSmallText, Anchor::kMiddle}, child.label);
      drawing.arrow({{child.centre(), y - kSmallText + 2}, {child.centre(), next - 1}}, pen, 7);
    }
  }

  void draw_action(Drawing& drawing, const Box& box, int action, double top) const {
    const double width = shown_width(box, box.name, kTreeStepText);
    const double height = name_height(box);
    const double x = box.centre() - width / 2;
    const std::vector<Point> frame = {
        {x, top}, {x + width, top}, {x + width, top + height}, {x, top + height}};
    drawing.polygon(frame, {lightened(palette_colour(action), 0.13), {}, 1.0});
    const bool ends = structure_.is_terminal(action);
    drawing.polygon(frame, {{}, Pen{palette_colour(action), ends ? 2.4 : 1.2, {}}, 1.0});
    const double y = draw_lines(
        drawing,
        {{box.centre(), top + kTreePad + 0.85 * kTreeStepText}, "", kTreeStepText, Anchor::kMiddle, true},
        box.name);
    draw_lines(drawing, {{box.centre(), y - 1}, "", kSmallText, Anchor::kMiddle}, box.share, kSoft);
  }

  void draw_question(Drawing& drawing, const Box& box, double top) const {
    const Pen pen{kInk, 1.1, {}};
    drawing.arrow({{box.centre(), top}, {box.centre(), top + 21}}, pen, 7);
    const double width = shown_width(box, box.question, kNormal) + 10;
    const double height = question_height(box) - 22;
    const double left = box.centre() - width / 2;
    const double y = top + 22;
    const double point = 12;  // the slanted ends of a question
    drawing.polygon({{left - point, y + height / 2},
                     {left, y},
                     {left + width, y},
                     {left + width + point, y + height / 2},
                     {left + width, y + height},
                     {left, y + height}},
                    {kWhite, Pen{kInk, 1.4, {}}, 1.0});
    draw_lines(drawing, {{box.centre(), y + kTreePad + 0.85 * kNormal}, "", kNormal, Anchor::kMiddle, true},
               box.question);
  }

  double shown_width(const Box& box, const std::vector<std::string>& lines, double size) const {
    double width = 0.0;
    for (const std::string& line : box.share) width = std::max(width, label_width(line, kSmallText));
    for (const std::string& line : lines) width = std::max(width, label_width(line, size, true));
    return width + 2 * kTreePad;
  }

  const Structure& structure_;
  const explain::Guideline& guideline_;
  bool ranges_;
  std::vector<Box> boxes_;
  double page_ = 0.0;
};

std::string tree_words(const Structure& structure, const explain::Guideline& guideline) {
  std::string words = "Inferred, not stated, beliefs.";
  for (const explain::GuidelineStep& step : guideline.steps) {
    if (!step.question) continue;
    words += fmt::format(" After \"{}\": if the belief in {} is above {}, then \"{}\", else \"{}\".",
                         structure.actions[step.action], structure.states[step.question->state],
                         with_range(step.question->threshold, step.question->range),
                         structure.actions[guideline.steps[step.branches.back().next].action],
                         structure.actions[guideline.steps[step.branches.front().next].action]);
  }
  return words;
}

}  // namespace

Drawing tree_figure(const Structure& structure, const explain::Guideline& guideline,
                    const FigureDraws& draws) {
  const TreePainter painter(structure, guideline, !draws.draws.empty());
  Drawing drawing(painter.page(), "Decision tree with learned thresholds", tree_words(structure, guideline));
  double y = draw_title(drawing, "What is done next, and what does it depend on?");
  y = painter.draw(drawing, y + 8);
  double left_out = 0.0;
  for (const explain::GuidelineStep& step : guideline.steps) left_out += step.share * step.left_out;
  std::string caption =
      "Boxes: the most likely action; a heavy frame ends the record. Under a question: the belief after each "
      "result. Shares follow from the fitted model if the most likely action is always taken. ";
  if (left_out > 0.0)
    caption += fmt::format("Rare branches with {} of patients are left out. ", base::percent(left_out));
  finish_with_caption(drawing, y, caption + draws_sentence(draws, "Brackets"));
  return drawing;
}

}  // namespace interpole::report
