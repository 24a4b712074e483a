// One shard's share of an evaluation; what the driver (likelihood_shards.cpp) hands to the kernel
// (likelihood_vector.cpp). Private to this room.
#pragma once

#include "interpole/inference/cell_layout.hpp"
#include "interpole/inference/layout/tree_layout.hpp"
#include "interpole/inference/likelihood.hpp"

namespace interpole::inference {

struct ShardJob {
  const Shard* shard = nullptr;
  const ShardCells* cells = nullptr;      // of policies with terms …
  const ContextTables* tables = nullptr;  // … and what the terms make of each context
  bool mixed = false;                     // … whether anything is done whatever is believed
  // Of kinds of decision-makers: which one this is about, and how many there are.
  int kind = 0;
  int kinds = 1;
  ShardMemory* memory = nullptr;
  int states = 0;
  int actions = 0;
  const double* matrices = nullptr;
  const Dynamics* dynamics = nullptr;  // of measured outcomes; null: outcomes are in the matrices
  const double* weights = nullptr;     // … and by row, in the shard's memory
  bool has_roots = false;  // the first group are the roots: beliefs given. Not in shards, which import them
  const double* score_slope = nullptr;   // [a·S + s]  2ημ_a(s)
  const double* score_offset = nullptr;  // [a]        −η‖μ_a‖²
  LikelihoodTerms terms;
};

// Beliefs, values and the policy's part of the adjoints, parents before children.
void forward_pass(const ShardJob& job);

// e^x of each, in place; to a digit or two of what std::exp has.
void exponentiate(std::span<double> numbers);

// With terms: values and the policy's part of the adjoints, cell by cell; after forward_pass. With kinds: of
// the decisions that are this kind's, in the shard's weight.
void decide_in_contexts(const ShardJob& job);

// With kinds: log π of every cell and action into the shard's log_chance; after forward_pass.
void log_chances_in_contexts(const ShardJob& job);

// Adjoints and matrix sums, children before parents; after forward_pass.
void reverse_pass(const ShardJob& job);

}  // namespace interpole::inference
