// Posterior draws as a CSV file, one row per draw: what `sample` writes, and what everything that shows an
// interval can read instead of the normal approximation in a model file.
//
// Columns: chain, iteration, log_posterior, divergent, then every number of the agent's mind, named like
// observation[monitor,diseased,negative] (known ones too: a file explains itself), then those of the policy's
// terms if it has any, then the world's with "world." before the name, then the coupling scales
// (scale[observation]) where they were sampled.
//
// Kinds of decision-makers beside the commonest: kind2.share, kind2.inverse_temperature,
// kind2.means[ACTION,STATE], then kind3. They come after the terms.
//
// Terms: inertia, lapse, habit[LAST,ACTION], time[STEP,ACTION], missing[ACTION]; of a covariate
// NAME[CATEGORY,ACTION], or NAME[ACTION] if it is a number.
#pragma once

#include <string>
#include <vector>

#include "interpole/learn/posterior/posterior.hpp"

namespace interpole::learn {

// The names of the columns that hold an explanation, in file order. `policy`: one with the same terms and
// kinds; `start`: what starting beliefs differ by.
std::vector<std::string> agent_world_columns(const Structure& structure, const Policy& policy,
                                             bool with_world, const std::vector<StartTerm>& start = {});

// Its numbers, in the order of agent_world_columns. `with_terms`: whether the model they are draws of has
// any.
std::vector<double> agent_world_values(const AgentWorld& agent_world, bool with_terms);

// What a term is called in files of draws: its name, with "covariate." in front of a covariate whose name
// something else has.
std::string term_variable(const PolicyTerms& terms, const PolicyTerm& term);

// The level: an action, a step from 1, a category; empty for terms that have one level only.
std::string term_level(const Structure& structure, const PolicyTerms& terms, const PolicyTerm& term,
                       int level);

// Draws in file order, of a model whose policy has these terms and kinds. Throws an input error naming file,
// row, column and value: a column that is missing, a column of another term, a cell that is not a number,
// rows that do not sum to one, no draws at all.
std::vector<AgentWorld> read_draws(const std::string& path, const Structure& structure, const Policy& policy,
                                   const std::vector<StartTerm>& start = {});

}  // namespace interpole::learn
