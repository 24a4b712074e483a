// What makes decisions foreseeable (learn/shares), put in order and in words.
#pragma once

#include <string>
#include <vector>

#include "interpole/learn/shares/shares.hpp"

namespace interpole::explain {

// "kinds of decision-makers", for the ingredient `kinds`.
std::string ingredient_words(const std::string& name);

// The explanation foresees next to nothing, so its parts are no shares of anything: less than 0.2% of the
// uncertainty that the frequencies of actions leave.
bool nothing_to_share(const learn::Shares& shares);

// How much of the uncertainty that the frequencies of actions leave the explanation takes away; 0 to 1.
double foreseen_part(const learn::Shares& shares);

struct ShareRow {
  std::string name;    // as in learn::IngredientShare
  std::string words;   // for people
  double nats = 0.0;   // a decision
  double share = 0.0;  // of what is foreseen; below zero: decisions are foreseen worse with it
};
// The largest first. None if there is nothing to share.
std::vector<ShareRow> share_rows(const learn::Shares& shares);

// "61%", "–1%": whole per cent, with a minus sign that every font has.
std::string share_text(double share);

// How much is foreseen and how much is not, what it is made of, and what that means.
std::vector<std::string> share_sentences(const learn::Shares& shares);

}  // namespace interpole::explain
