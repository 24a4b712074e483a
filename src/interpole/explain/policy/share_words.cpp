#include "interpole/explain/policy/share_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace interpole::explain {
namespace {

constexpr double kNextToNothing = 0.002;

}  // namespace

std::string ingredient_words(const std::string& name) {
  if (name == "kinds") return "kinds of decision-makers";
  if (name == "other") return "lapses and missing results";
  return name;
}

bool nothing_to_share(const learn::Shares& shares) {
  return !(shares.gained > kNextToNothing * shares.frequencies);
}

double foreseen_part(const learn::Shares& shares) {
  if (!(shares.frequencies > 0.0)) return 0.0;
  return std::clamp(shares.gained / shares.frequencies, 0.0, 1.0);
}

std::vector<ShareRow> share_rows(const learn::Shares& shares) {
  std::vector<ShareRow> rows;
  if (nothing_to_share(shares)) return rows;
  for (const learn::IngredientShare& part : shares.parts) {
    rows.push_back({part.name, ingredient_words(part.name), part.nats, part.nats / shares.gained});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ShareRow& x, const ShareRow& y) { return x.nats > y.nats; });
  return rows;
}

std::string share_text(double share) {
  const long percent = std::lround(100.0 * share);
  return percent < 0 ? fmt::format("–{}%", -percent) : fmt::format("{}%", percent);
}

std::vector<std::string> share_sentences(const learn::Shares& shares) {
  if (nothing_to_share(shares)) {
    return {
        "In records that were not fitted, decisions are not foreseen better than by how often each action is "
        "taken: there is nothing to share out."};
  }
  const double part = foreseen_part(shares);
  std::vector<std::string> sentences = {
      fmt::format("In records that were not fitted, the explanation removes {} of the uncertainty about a "
                  "decision that is left when only the frequency of each action is known ({:.3f} of {:.3f} "
                  "nats); {} remains unforeseeable.",
                  share_text(part), shares.gained, shares.frequencies,
                  share_text(1.0 - 0.01 * static_cast<double>(std::lround(100.0 * part))))};
  std::string list;
  bool negative = false;
  for (const ShareRow& row : share_rows(shares)) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", row.words, share_text(row.share));
    negative |= std::lround(100.0 * row.share) < 0;
  }
  sentences.push_back(fmt::format("What is foreseen is made of: {}.", list));
  sentences.emplace_back(
      "How much one of them adds depends on what is there before it, so its share is the average over all "
      "orders in which they can be added.");
  if (negative) {
    sentences.emplace_back(
        "One below zero adds nothing but noise: with it, decisions in records that were not fitted are "
        "foreseen worse.");
  }
  return sentences;
}

}  // namespace interpole::explain
