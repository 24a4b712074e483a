#include "interpole/data/draft/mapped_draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "interpole/base/messages.hpp"
#include "interpole/data/draft/column_names.hpp"
#include "interpole/data/draft/draft_text.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kMostCandidates = 10;

std::string commented(const std::string& lines) {
  std::string result;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1);
    result += "# " + lines.substr(at, end - at + 1);
    at = end + 1;
  }
  return result;
}

class MappedDraft {
 public:
  MappedDraft(const std::string& path, const ShapedTable& shaped, const StudyGuess& guess, DraftForm form)
      : path_(path),
        shaped_(shaped),
        profile_(shaped.table->profile()),
        guess_(guess),
        measured_(form == DraftForm::kMeasured) {}

  std::string text() const {
    return draft_head(path_, profile_, shaped_.table->common(), measured_ ? 2 : 1) + actions() + source() +
           record() + action() + factors() + filters() + covariates() + labels();
  }

 private:
  std::string actions() const {
    const ActionGuess& action = guess_.action;
    std::string text =
        "# What can be done at a visit. DECIDE on names; add \"terminal = true\" to an action that ends a "
        "record.\n";
    for (const std::string& name : action.names) text += action_block(name);
    return text;
  }

  std::string source() const {
    const TableShape& shape = shaped_.shape;
    std::string text = fmt::format("[source]\ntables = {}\n", toml_list(shape.source.tables));
    if (!shape.source.encoding.empty()) {
      text += fmt::format("encoding = {}  # guessed because the file is not UTF-8\n",
                          toml_text(shape.source.encoding));
    }
    for (const std::string& note : shape.notes) text += "# " + note + "\n";
    if (!shape.source.sql.empty()) text += "sql = " + toml_lines(shape.source.sql) + "\n";
    if (guess_.missing.empty()) {
      return text + "# Blank cells mean \"no value\"; no other code for it was found in several columns.\n\n";
    }
    text +=
        "# Guessed because these are usual codes for \"no value\", and outside the values of their "
        "columns:\n";
    for (const std::string& code : guess_.missing) {
      std::int64_t rows = 0;
      std::int64_t columns = 0;
      for (const ColumnProfile& column : profile_.columns) {
        for (const CellCount& cell : column.missing_codes) {
          if (cell.text != code) continue;
          rows += cell.rows;
          ++columns;
        }
      }
      text += fmt::format("#   {}: {} cells in {} columns\n", toml_text(code), safe_rows(rows), columns);
    }
    return text + fmt::format("missing = {}\n\n", toml_list(guess_.missing));
  }

  std::string record() const {
    const OrderGuess& order = guess_.order;
    std::string text = fmt::format(
        "[record]\n# guessed because {}its {} values stand in {:.1f} rows each\nid = {}\n",
        guess_.id_by_structure ? "" : "of its name, and because ", safe_rows(guess_.records),
        static_cast<double>(profile_.find(guess_.id)->filled) / static_cast<double>(guess_.records),
        toml_text(guess_.id));
    text += fmt::format(
        "# guessed because of {}, and because no two rows of a record have the same value\norder = {}\n",
        order_rank(order.column) == kUnnamed ? "its days" : "its name", toml_text(order.column));
    if (order.kind != OrderKind::kCodes) {
      text += fmt::format("kind = \"{}\"  # guessed because every value is one\n",
                          order.kind == OrderKind::kDate ? "date" : "number");
    } else {
      text += fmt::format("codes = {}  # guessed order; rows with other codes are left out\n",
                          toml_list(order.codes));
      if (!order.left_out.empty()) {
        text += fmt::format("# not placed among them, because they look different: {}\n",
                            toml_list(order.left_out));
      }
      if (order.rare_codes) text += "# there are other codes, too rare to be shown\n";
    }
    text += seen();
    if (measured_ && guess_.time && guess_.time->irregular) return text + time() + "\n";
    return text +
           fmt::format(
               "# DECIDE whether visits come at regular distances (here in {}), and what a gap means:\n"
               "# spacing = 1\n# gaps = \"cut\"\n\n",
               order.kind == OrderKind::kCodes  ? "codes"
               : order.kind == OrderKind::kDate ? "days"
                                                : "units of the number");
  }

  std::string time() const {
    const TimeGuess& time = *guess_.time;
    return fmt::format(
        "# Guessed because visits come at irregular distances (most after {:.3g} to {:.3g} {}, typically "
        "{:.3g}): how states change\n# depends on the time that passes. Without these two lines one visit is "
        "one step.\ntime = {}\nunit = \"{}\"{}\n",
        time.low, time.high, time.unit, time.median, toml_text(guess_.order.column), time.unit,
        time.unit_known ? "" : "  # DECIDE: nothing says what the numbers count");
  }

  bool all_before() const {
    return std::all_of(guess_.factors.begin(), guess_.factors.end(),
                       [](const FactorGuess& factor) { return factor.seen == Reading::kBefore; });
  }

  // Which came first is the guess that costs most if it is wrong.
  std::string seen() const {
    const SeenEvidence& evidence = guess_.seen;
    const ReadingComparison& gain = evidence.against_rest;
    std::string why;
    if (evidence.all_told_by_gaps()) {
      why = "values are there or missing as the actions would have it";
    } else if (evidence.clear()) {
      why = fmt::format(
          "read so, earlier rows{} foretell decisions better (by {:.3f} ± {:.3f} nats each, {} of them)",
          all_before() ? " and the row itself" : "", gain.gain, gain.error, evidence.decisions);
    } else {
      why = fmt::format("but the table does not say it clearly ({:.3f} ± {:.3f} nats each)", gain.gain,
                        gain.error);
    }
    return fmt::format(
        "# DECIDE: \"before\" if what a row holds was known when its action was chosen, \"after\" if it came "
        "of it.\n# Guessed {}.\nseen = \"{}\"\n",
        (evidence.clear() ? "because " : "") + why, all_before() ? "before" : "after");
  }

  std::string action() const {
    const ActionGuess& action = guess_.action;
    std::string text = "[action]\n";
    if (action.by_presence) {
      text += action.likely
                  ? fmt::format(
                        "# DECIDE: no column names a decision. Guessed because {} is filled in "
                        "at {} of {} visits only.\n",
                        base::shown(action.column), safe_rows(profile_.find(action.column)->filled),
                        profile_.rows)
                  : "# DECIDE: nothing looks like a decision (no column named action, order, decision, "
                    "treatment … with two\n# to ten common values, no number that is measured at some "
                    "visits only). This is a placeholder.\n";
      text += fmt::format("present = {}\nif_present = {}\nif_absent = {}\n", toml_text(action.column),
                          toml_text(action.names[0]), toml_text(action.names[1]));
    } else {
      text += fmt::format("# guessed because {}\ncolumn = {}\nvalues = {{ ",
                          action.by_name
                              ? fmt::format("of its name and its {} common values", action.cells.size())
                              : "it alone says yes or no; DECIDE whether it is what was decided",
                          toml_text(action.column));
      for (std::size_t a = 0; a < action.cells.size(); ++a) {
        text += fmt::format("{}{} = {}", a == 0 ? "" : ", ", toml_text(action.cells[a]),
                            toml_text(action.names[a]));
      }
      text += " }\n";
    }
    for (const std::string& column : action.alternatives) {
      text += fmt::format("# or, because it is filled in at {} of {} visits only: present = {}\n",
                          safe_rows(profile_.find(column)->filled), profile_.rows, toml_text(column));
    }
    return text + "\n";
  }

  std::string level_lines(const FactorGuess& factor) const {
    const bool ordered = measured_ && factor.ordered;
    std::string text = fmt::format("kind = \"{}\"{}\nlevels = {}\n",
                                   factor.numeric ? "numeric"
                                   : ordered      ? "ordinal"
                                                  : "categorical",
                                   ordered ? "  # or \"categorical\", if the numbers are only names" : "",
                                   toml_list(factor.levels));
    if (factor.numeric)
      text += fmt::format("bins = {{ quantiles = [{}] }}\n", fmt::join(factor.quantiles, ", "));
    return text;
  }

  static std::string family_lines(const FamilyGuess& family) {
    std::string text = fmt::format("kind = \"continuous\"\nfamily = \"{}\"  # guessed because they are {}\n",
                                   family.family, family.why);
    for (const auto& [key, limit] : {std::pair("below", family.below), std::pair("above", family.above)}) {
      if (!limit) continue;
      text += fmt::format("{} = {}  # a limit of detection? Guessed because many values are just this\n", key,
                          *limit);
    }
    return text;
  }

  std::string factor_block(const FactorGuess& factor) const {
    std::string text = fmt::format("[[factors]]\nname = {0}\ncolumn = {0}\n", toml_text(factor.column));
    text += measured_ && factor.family ? family_lines(*factor.family) : level_lines(factor);
    if (!factor.missing.empty())
      text += fmt::format("missing = {}  # guessed because usual codes, and outside its other values\n",
                          toml_list(factor.missing));
    if (!factor.yielded_by.empty()) {
      text += fmt::format("yielded_by = {}  # guessed because it is empty after other actions\n",
                          toml_list(factor.yielded_by));
    }
    if (factor.seen == Reading::kBefore && !all_before()) text += "seen = \"before\"  # guessed as above\n";
    return text;
  }

  std::string why(const FactorGuess& factor) const {
    const std::string kind = factor.numeric ? "numbers" : "categories";
    return fmt::format(
        "# guessed because it has {} different {} and changes within records; {} of {} rows have a value\n",
        factor.distinct, kind, safe_rows(factor.filled), profile_.rows);
  }

  std::string factors() const {
    std::string text =
        measured_
            ? "# What is observed, each by itself: an empty cell leaves the belief to the others.\n"
              "# DECIDE which matter. Numbers are taken as they were measured (kind = \"continuous\", with a "
              "family)\n# or cut into levels (kind = \"numeric\", levels = [\"low\", \"high\"], cuts = "
              "[2]).\n"
            : "# What is observed. An outcome is a level of every factor, so few factors are best.\n"
              "# DECIDE which matter, and replace quantiles by cuts that mean something: cuts = [0.5, "
              "2]\n";
    for (const FactorGuess& factor : guess_.factors) text += why(factor) + factor_block(factor) + "\n";
    const std::size_t count = std::min(kMostCandidates, guess_.candidates.size());
    if (count > 0) text += "# Further candidates:\n#\n";
    for (std::size_t i = 0; i < count; ++i) {
      text += why(guess_.candidates[i]) + commented(factor_block(guess_.candidates[i])) + "#\n";
    }
    if (guess_.candidates.size() > count) {
      text += fmt::format("# … and {} more columns.\n", guess_.candidates.size() - count);
    }
    return text + "\n";
  }

  std::string filters() const {
    const ActionGuess& action = guess_.action;
    std::string text;
    if (action.other_cells) {
      std::string list;
      for (const std::string& cell : action.cells) list += (list.empty() ? "" : ", ") + quoted_text(cell);
      const std::string sql = fmt::format("CAST({} AS VARCHAR) IN ({})", quoted_name(action.column), list);
      text += fmt::format(
          "# DECIDE: other values of {} are too rare to be shown; their rows are left out.\nwhere = {}\n",
          base::shown(action.column), toml_text(sql));
    }
    if (action.empty_cells) {
      text += fmt::format("required = [{}]  # because a visit needs an action, and some have none\n",
                          toml_text(action.column));
    }
    return "[filters]\n" + text + "minimum_visits = 1\n\n";
  }

  std::string covariates() const {
    std::string text;
    if (!guess_.covariates.empty()) {
      text += "# Columns that stay the same within a record, for cohorts:\n#\n";
    }
    const std::size_t count = std::min(kMostCandidates, guess_.covariates.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& column = guess_.covariates[i];
      text += commented(fmt::format("[[covariates]]\nname = {}\nsql = {}\n", toml_text(column),
                                    toml_text(quoted_name(column)))) +
              "#\n";
    }
    if (guess_.covariates.size() > count) {
      text += fmt::format("# … and {} more columns.\n", guess_.covariates.size() - count);
    }
    if (!guess_.group.empty()) {
      text +=
          fmt::format("# Guessed because of its name:\n# [group]\n# column = {}\n", toml_text(guess_.group));
    }
    return text + (text.empty() ? "" : "\n");
  }

  std::string labels() const {
    std::string text =
        "# DECIDE which state is which: hidden states could swap names without changing the fit.\n";
    if (guess_.diagnoses.empty()) {
      const FactorGuess& first = guess_.factors[0];
      if (measured_ && (first.family || first.ordered)) {
        return text + fmt::format(
                          "# [labels]\n# factor = {}  # higher in the second state\n"
                          "# order = [\"state-1\", \"state-2\"]\n",
                          toml_text(first.column));
      }
      return text + fmt::format(
                        "# [labels]\n# factor = {}\n# level = {}  # likelier in the second state\n"
                        "# order = [\"state-1\", \"state-2\"]\n",
                        toml_text(guess_.factors[0].column), toml_text(guess_.factors[0].levels.back()));
    }
    const ColumnProfile& column = *profile_.find(guess_.diagnoses[0]);
    text +=
        fmt::format("# Guessed because of its name; its common values are {}.\n# [labels]\n# column = {}\n",
                    toml_list(common_cells(column)), toml_text(column.name));
    return text + "# values = { \"…\" = \"state-1\", \"…\" = \"state-2\" }\n";
  }

  const std::string& path_;
  const ShapedTable& shaped_;
  const TableProfile& profile_;
  const StudyGuess& guess_;
  bool measured_;
};

}  // namespace

std::string mapped_draft(const std::string& path, const ShapedTable& shaped, const StudyGuess& guess,
                         DraftForm form) {
  return MappedDraft(path, shaped, guess, form).text();
}

std::string open_questions(const std::string& path, const ShapedTable& shaped, const std::string& why) {
  const TableProfile& profile = shaped.table->profile();
  std::string text = draft_head(path, profile, shaped.table->common());
  text += fmt::format("# No study could be guessed: {}\n#\n# What the columns look like:\n", why);
  for (const ColumnProfile& column : profile.columns) {
    const char* kind = column.filled == 0    ? "empty"
                       : column.is_numeric() ? "numbers"
                       : column.is_date()    ? "days"
                                             : "words";
    text += fmt::format("#   {}: {}, {} different, filled in at {} of {} rows{}\n", base::shown(column.name),
                        kind, safe_rows(column.distinct), safe_rows(column.filled), profile.rows,
                        id_rank(column.name) < kUnnamed       ? " (named like an id)"
                        : order_rank(column.name) < kUnnamed  ? " (named like a visit)"
                        : action_rank(column.name) < kUnnamed ? " (named like a decision)"
                                                              : "");
  }
  const std::string source =
      fmt::format("[source]\ntables = {}\n", toml_list(shaped.shape.source.tables)) +
      (shaped.shape.source.encoding.empty() ? "" : "encoding = \"latin-1\"\n") +
      (shaped.shape.source.sql.empty() ? "" : "sql = " + toml_lines(shaped.shape.source.sql) + "\n");
  text +=
      "#\n# Answer these, take the \"# \" off the lines below, then look with interpole study check what is "
      "kept.\n\n";
  text += commented(
      "[[actions]]\n"
      "name = \"…\"        # DECIDE what can be done at a visit: one [[actions]] for each\n" +
      source +
      "[record]\n"
      "id = \"…\"          # DECIDE: which column tells whose row it is?\n"
      "order = \"…\"       # DECIDE: which column tells the visits of a record apart, and their order?\n"
      "kind = \"number\"   # or \"date\"\n"
      "seen = \"before\"   # DECIDE: did what a row holds lead to its action (\"before\") or come of it "
      "(\"after\")?\n"
      "[action]\n"
      "column = \"…\"      # DECIDE: which column says what was done?\n"
      "[[factors]]\n"
      "name = \"…\"        # DECIDE: what was seen? One [[factors]] for each, at most three to begin with\n"
      "column = \"…\"\n"
      "kind = \"numeric\"\n"
      "levels = [\"low\", \"middle\", \"high\"]\n"
      "bins = { quantiles = [0.33, 0.67] }\n");
  return text;
}

}  // namespace interpole::data
