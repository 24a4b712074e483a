// Figures that stand alone: what each kind needs, and the functions that draw it (docs/figures.md). Every one
// says that beliefs are inferred, not stated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpole/bias_audit.hpp"
#include "interpole/explain/policy/guideline.hpp"
#include "interpole/history_tree.hpp"
#include "interpole/inference/node_beliefs.hpp"
#include "interpole/learn/posterior/posterior.hpp"
#include "interpole/learn/shares/shares.hpp"
#include "interpole/report/drawing/drawing.hpp"

namespace interpole::report {

// How sure the model is: posterior draws, and how much of them intervals and bands hold.
struct FigureDraws {
  std::vector<AgentWorld> draws;  // none: figures carry no intervals, and say so
  std::string source;             // for people
  double level = 0.9;
};
// "Bands hold 90% of the posterior (200 draws: …)."; or that there are none.
std::string draws_sentence(const FigureDraws& draws, const std::string& what);

struct PolicyFigureInput {
  const Model& model;
  const HistoryTree& tree;
  const inference::NodeBeliefs& beliefs;  // of the tree's histories under the agent
  const FigureDraws& draws;
  int min_cell = 11;  // counts below it are withheld
};
// Which action is the likeliest at which belief. Two states: a line; three: a triangle; four: the faces of a
// tetrahedron; more: triangles of two states and all others together. Throws an input error for one state.
Drawing policy_figure(const PolicyFigureInput& input);

// One record to be drawn. Names are as the figure shows them: never an identifier unless asked for.
struct ShownRecord {
  std::string name;  // "Patient A"
  std::string note;  // why it is shown; may be empty
  std::vector<Step> steps;
  std::optional<int> counterfactual;  // a decision for which other outcomes are drawn as well
  std::vector<int> other_outcomes;    // those
  std::vector<double> covariates{};   // with which starting beliefs may differ
};

struct RecordsFigureInput {
  const Model& model;
  const std::vector<ShownRecord>& records;
  const FigureDraws& draws;
  std::vector<double> typical_belief;  // mean over the data's decisions: what "any other" state looks like
};
// The path of belief over the decision regions, visit by visit: time passing dashed, evidence solid.
Drawing trajectory_figure(const RecordsFigureInput& input, const std::string& title);
// Belief over time with its interval, decisions and results below.
Drawing beliefs_figure(const RecordsFigureInput& input);

// A guideline drawn as a tree, with the thresholds that were learned.
Drawing tree_figure(const Structure& structure, const explain::Guideline& guideline,
                    const FigureDraws& draws);

// One mind among several that are compared.
struct ShownAgent {
  std::string name;
  Parameters agent;
};
struct AgentsFigureInput {
  const Structure& structure;
  std::vector<ShownAgent> agents;  // at most seven can be told apart
  int action = 0;                  // whose probability is drawn
  std::vector<int> outcomes;       // seen one after the other, each after that action
  std::string source;              // where agent and world come from, for the caption
};
// The paper's Figure 5, for two states: how likely an action is at each belief, where decisions change, and
// how beliefs move with the same results. Throws an input error for any other number of states.
Drawing agents_figure(const AgentsFigureInput& input);

// The agent's picture of the world beside the world, number by number, and the verdict.
Drawing bias_figure(const Structure& structure, const AgentWorldComparison& found, const FigureDraws& draws,
                    double margin);

// What is measured in each state. Only of measured factors.
Drawing densities_figure(const Model& model);

// How much of the uncertainty about a decision is foreseen, and what that is made of.
Drawing shares_figure(const learn::Shares& shares);

}  // namespace interpole::report
