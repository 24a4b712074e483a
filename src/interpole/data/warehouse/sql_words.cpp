#include "interpole/data/warehouse/sql_words.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace interpole::data {
namespace {

using namespace std::string_view_literals;

// In alphabetical order.
constexpr std::array kWords = {
    "all"sv,       "alter"sv,   "analyze"sv,     "and"sv,        "any"sv,       "array"sv,     "as"sv,
    "asc"sv,       "at"sv,      "between"sv,     "both"sv,       "by"sv,        "case"sv,      "cast"sv,
    "check"sv,     "collate"sv, "column"sv,      "constraint"sv, "create"sv,    "cross"sv,     "current"sv,
    "date"sv,      "default"sv, "delete"sv,      "desc"sv,       "describe"sv,  "distinct"sv,  "do"sv,
    "drop"sv,      "else"sv,    "end"sv,         "escape"sv,     "except"sv,    "exists"sv,    "false"sv,
    "fetch"sv,     "filter"sv,  "following"sv,   "for"sv,        "foreign"sv,   "from"sv,      "full"sv,
    "grant"sv,     "group"sv,   "grouping"sv,    "groups"sv,     "hash"sv,      "having"sv,    "if"sv,
    "ignore"sv,    "in"sv,      "inner"sv,       "insert"sv,     "intersect"sv, "interval"sv,  "into"sv,
    "is"sv,        "join"sv,    "key"sv,         "lateral"sv,    "leading"sv,   "left"sv,      "like"sv,
    "limit"sv,     "lookup"sv,  "merge"sv,       "natural"sv,    "new"sv,       "no"sv,        "not"sv,
    "null"sv,      "nulls"sv,   "of"sv,          "offset"sv,     "on"sv,        "only"sv,      "or"sv,
    "order"sv,     "outer"sv,   "over"sv,        "partition"sv,  "placing"sv,   "preceding"sv, "primary"sv,
    "qualify"sv,   "range"sv,   "references"sv,  "respect"sv,    "right"sv,     "rollup"sv,    "row"sv,
    "rows"sv,      "sample"sv,  "select"sv,      "set"sv,        "some"sv,      "start"sv,     "struct"sv,
    "symmetric"sv, "table"sv,   "tablesample"sv, "then"sv,       "time"sv,      "timestamp"sv, "to"sv,
    "trailing"sv,  "treat"sv,   "trigger"sv,     "true"sv,       "unbounded"sv, "union"sv,     "unique"sv,
    "unnest"sv,    "update"sv,  "user"sv,        "using"sv,      "values"sv,    "variadic"sv,  "view"sv,
    "when"sv,      "where"sv,   "window"sv,      "with"sv,       "within"sv};
static_assert(std::is_sorted(kWords.begin(), kWords.end()));

}  // namespace

bool is_sql_word(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::binary_search(kWords.begin(), kWords.end(), lower);
}

}  // namespace interpole::data
