// What rows of parameters are about, in words for people who know the study and not the model.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/structure.hpp"

namespace interpole::model {

// Names as parameter spaces give them (means[mri], transition[mri,CN]), also with "world." or "gap of " in
// front, each as a phrase that can follow "not known: ". Rows that differ in state or mean alone share one
// phrase, at the place of the first. Names of no parameter are left out.
//
//   where the means of "no-mri" and "mri" lie
//   how patients change after "mri"           (all states)
//   how "CN" changes after "mri", in the world
//   whether decision-maker and world differ in what "mri" shows if the patient is "CN" or "MCI"
std::vector<std::string> parameter_words(const Structure& structure, std::span<const std::string> names);

// "a", "a" and "b", "a", "b" and "c": quoted, in their order.
std::string quoted_list(std::span<const std::string> names, const char* last = "and");

}  // namespace interpole::model
