// What makes decisions foreseeable: above, how much of the uncertainty about a decision is foreseen at all;
// below, what that is made of, part after part, so that parts below zero lead back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpole/base/number_text.hpp"
#include "interpole/explain/policy/share_words.hpp"
#include "interpole/report/figures/figure.hpp"
#include "interpole/report/figures/figure_style.hpp"

namespace interpole::report {
namespace {

constexpr double kSharesWidth = 760, kSharesLeft = 226, kSharesRight = 612;
constexpr double kSharesStrip = 22, kSharesRow = 30, kSharesBar = 16;  // heights
constexpr int kSharesColour = 0, kSharesNowhere = 4;                   // of bars; hatching of what is left
constexpr double kSharesFan = 46;  // height of the lines that lead from the strip to the parts

const Pen kSharesEdge{palette_colour(kSharesColour), 1.3, {}};

void draw_share_bar(Drawing& drawing, double from, double to, double y, bool adds) {
  drawing.rect(std::min(from, to), y, std::max(1.2, std::abs(to - from)), kSharesBar,
               {adds ? palette_colour(kSharesColour) : kWhite, kSharesEdge, 1.0});
}

// All uncertainty, with the part that is foreseen filled in; returns the strip's lower edge.
double draw_strip(Drawing& drawing, const learn::Shares& shares, double y) {
  const double part = explain::foreseen_part(shares);
  const double width = kSharesWidth - 2 * kMargin;
  drawing.text(
      {{kMargin, y + 10},
       fmt::format("All uncertainty about a decision, knowing how often each action is taken: {:.3f} "
                   "nats",
                   shares.frequencies),
       kSmallText},
      kSoft);
  y += 34;
  drawing.text({{kMargin, y - 5}, "foreseen: " + explain::share_text(part), kNormal, Anchor::kStart, true});
  drawing.text({{kSharesWidth - kMargin, y - 5},
                "remains unforeseeable: " +
                    explain::share_text(1.0 - 0.01 * static_cast<double>(std::lround(100.0 * part))),
                kNormal,
                Anchor::kEnd,
                true});
  const double cut = kMargin + part * width;
  fill_region(drawing,
              {{cut, y}, {kMargin + width, y}, {kMargin + width, y + kSharesStrip}, {cut, y + kSharesStrip}},
              kSharesNowhere);
  drawing.rect(kMargin, y, part * width, kSharesStrip, {palette_colour(kSharesColour), {}, 1.0});
  drawing.rect(kMargin, y, width, kSharesStrip, {{}, Pen{kInk, 1.0, {}}, 1.0});
  return y + kSharesStrip;
}

// One part under the other, each from where the one before it ended.
class SharesRows {
 public:
  SharesRows(const std::vector<explain::ShareRow>& rows, double top) : rows_(rows), top_(top) {
    double sum = 0.0;
    for (const explain::ShareRow& row : rows) {
      from_.push_back(sum);
      sum += row.share;
      most_ = std::max(most_, sum);
      least_ = std::min(least_, sum);
    }
  }

  double x_of(double share) const {
    return kSharesLeft + (share - least_) / (most_ - least_) * (kSharesRight - kSharesLeft);
  }
  double bottom() const { return top_ + kSharesRow * static_cast<double>(rows_.size() + 1); }

  void draw(Drawing& drawing) const {
    draw_ticks(drawing);
    for (std::size_t i = 0; i < rows_.size(); ++i) draw_part(drawing, i);
    const double y = top_ + kSharesRow * static_cast<double>(rows_.size());
    draw_name(drawing, "together", y, true);
    drawing.rect(x_of(0.0), y + 11, x_of(1.0) - x_of(0.0), 8, {kInk, {}, 1.0});
    draw_value(drawing, "100%", total(), y);
  }

 private:
  double total() const {
    double nats = 0.0;
    for (const explain::ShareRow& row : rows_) nats += row.nats;
    return nats;
  }

  void draw_ticks(Drawing& drawing) const {
    double step = 0.25;
    for (int i = 0; (most_ - least_) / step > 5.0; ++i) step *= i % 2 == 0 ? 2.0 : 2.5;
    for (double tick = std::ceil(least_ / step) * step; tick <= most_ + 1e-9; tick += step) {
      drawing.line({x_of(tick), top_}, {x_of(tick), bottom()}, {kRule, tick == 0.0 ? 1.2 : 0.6, {}});
      drawing.text({{x_of(tick), bottom() + 14}, explain::share_text(tick), kSmallText, Anchor::kMiddle},
                   kSoft);
    }
    drawing.text({{(kSharesLeft + kSharesRight) / 2, bottom() + 31},
                  "share of what is foreseen",
                  kSmallText,
                  Anchor::kMiddle},
                 kSoft);
  }

  static void draw_name(Drawing& drawing, const std::string& name, double y, bool bold) {
    drawing.text({{kSharesLeft - 14, y + 19},
                  on_one_line(name, kSharesLeft - kMargin - 14, kNormal, bold),
                  kNormal,
                  Anchor::kEnd,
                  bold});
  }

  static void draw_value(Drawing& drawing, const std::string& share, double nats, double y) {
    drawing.text({{kSharesRight + 58, y + 19}, share, kNormal, Anchor::kEnd, true});
    const std::string sign = nats <= -0.0005 ? "–" : "";  // never "–0.000"
    drawing.text({{kSharesWidth - kMargin, y + 19},
                  fmt::format("{}{:.3f}", sign, std::abs(nats)),
                  kSmallText,
                  Anchor::kEnd},
                 kSoft);
  }

  void draw_part(Drawing& drawing, std::size_t i) const {
    const explain::ShareRow& row = rows_[i];
    const double y = top_ + kSharesRow * static_cast<double>(i);
    const double end = x_of(from_[i] + row.share);
    draw_name(drawing, row.words, y, false);
    drawing.line({end, y + 15}, {end, y + 15 + kSharesRow}, {kSoft, 0.8, {2, 2}});
    draw_share_bar(drawing, x_of(from_[i]), end, y + 7, row.share >= 0.0);
    draw_value(drawing, explain::share_text(row.share), row.nats, y);
  }

  const std::vector<explain::ShareRow>& rows_;
  std::vector<double> from_;
  double top_ = 0.0;
  double most_ = 1.0, least_ = 0.0;
};

std::string shares_words(const std::vector<std::string>& sentences) {
  return fmt::format("Inferred, not stated, beliefs. {}", fmt::join(sentences, " "));
}

}  // namespace

Drawing shares_figure(const learn::Shares& shares) {
  const std::vector<std::string> sentences = explain::share_sentences(shares);
  const std::vector<explain::ShareRow> rows = explain::share_rows(shares);
  Drawing drawing(kSharesWidth, "What makes decisions foreseeable", shares_words(sentences));
  const double top = draw_title(drawing, "What makes decisions foreseeable?");
  if (rows.empty()) {
    finish_with_caption(drawing, top + 10, sentences.front());
    return drawing;
  }
  const double strip = draw_strip(drawing, shares, top);
  const SharesRows parts(rows, strip + kSharesFan);
  const double width = kSharesWidth - 2 * kMargin;
  drawing.line({kMargin, strip}, {parts.x_of(0.0), strip + kSharesFan}, {kSoft, 0.8, {}});
  drawing.line({kMargin + explain::foreseen_part(shares) * width, strip},
               {parts.x_of(1.0), strip + kSharesFan}, {kSoft, 0.8, {}});
  drawing.text(
      {{kSharesWidth - kMargin, strip + kSharesFan - 4}, "nats a decision", kSmallText, Anchor::kEnd}, kSoft);
  parts.draw(drawing);
  std::string caption = fmt::format(
      "Measured on records that were not fitted: two halves, each foreseen by the explanation of "
      "the other. {}",
      fmt::join(sentences.begin() + 2, sentences.end(), " "));
  finish_with_caption(drawing, parts.bottom() + 46, caption);
  return drawing;
}

}  // namespace interpole::report
