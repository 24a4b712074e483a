#include "interpole/data/counts/counts_key.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpole/base/files/hash.hpp"
#include "interpole/base/messages.hpp"
#include "interpole/data/counts/named_covariates.hpp"
#include "interpole/error.hpp"

namespace interpole::data {
namespace {

constexpr std::size_t kDigits = 12;

// Values one after the other, each with its length: no two lists give the same text.
class KeyText {
 public:
  void add(std::string_view value) { text_ += fmt::format("{}:{};", value.size(), value); }
  void add(double value) { add(fmt::format("{}", value)); }
  void add(int value) { add(fmt::format("{}", value)); }
  void add(char value) { add(static_cast<int>(value)); }
  void add(bool value) { add(static_cast<int>(value)); }
  void add(const CellMeaning& cell) {
    add(cell.first);
    add(cell.second);
  }
  template <class Value>
  void add(const std::vector<Value>& values) {
    add(static_cast<int>(values.size()));
    for (const Value& value : values) add(value);
  }
  template <class Value>
  void add(const std::optional<Value>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  std::string key() const { return base::sha256(text_).substr(0, kDigits); }

 private:
  std::string text_;
};

void add_record_rule(KeyText& text, const RecordRule& rule) {
  text.add(rule.id);
  text.add(rule.order);
  text.add(static_cast<int>(rule.kind));
  text.add(rule.codes);
  text.add(rule.spacing);
  text.add(rule.tolerance);
  text.add(rule.first);
  text.add(static_cast<int>(rule.gaps));
}

void add_factor(KeyText& text, const Factor& factor) {
  text.add(factor.column);
  text.add(factor.numeric);
  text.add(factor.levels);
  text.add(static_cast<int>(factor.bins.rule));
  text.add(factor.bins.cuts);
  text.add(factor.bins.upper_inclusive);
  text.add(factor.bins.width);
  text.add(factor.bins.mean);
  text.add(factor.bins.spread);
  text.add(factor.bins.quantiles);
  text.add(factor.values);
  text.add(factor.missing);
  text.add(factor.yielded_by);
  text.add(factor.seen_before);
}

std::string mapping_key(const Study& study) {
  const TableMapping& mapping = *study.mapping;
  KeyText text;
  text.add(mapping.source.sql);
  text.add(mapping.source.missing);
  add_record_rule(text, mapping.record);
  text.add(mapping.action.column);
  text.add(mapping.action.by_presence);
  text.add(mapping.action.values);
  text.add(mapping.action.if_present);
  text.add(mapping.action.if_absent);
  for (const Factor& factor : mapping.factors) add_factor(text, factor);
  text.add(mapping.filters.where);
  text.add(mapping.filters.required);
  text.add(mapping.filters.minimum_visits);
  text.add(mapping.filters.drop_if_last);
  for (const std::string& name : named_covariates(study)) {
    for (const Covariate& covariate : mapping.covariates) {
      if (covariate.name == name) text.add(covariate.sql);
    }
  }
  if (mapping.diagnosis) {
    text.add(study.structure.states);
    text.add(mapping.diagnosis->column);
    text.add(mapping.diagnosis->values);
  }
  return text.key();
}

std::string structure_key(const Structure& structure) {
  KeyText text;
  text.add(structure.actions);
  text.add(structure.observations);
  text.add(structure.terminal);
  text.add(structure.allowed);
  return text.key();
}

}  // namespace

std::string counts_key(const Study& study) {
  if (study.structure.measured()) {
    throw input_error(fmt::format(
        "key factors: counts are of outcomes from a list, and {} is measured; learn from the rows, or cut it "
        "into levels",
        base::shown(study.structure.factors.front().name)));
  }
  if (study.structure.timed()) {
    throw input_error(
        "key record.time: counts are of sequences without times, and visits have times here; learn from the "
        "rows, "
        "or remove time from [record]");
  }
  const std::string key = structure_key(study.structure);
  return study.mapping ? key + "-" + mapping_key(study) : key;
}

}  // namespace interpole::data
