// Records that share a history share beliefs, so the data are stored as a prefix tree: a node is a history
// (a1 z1 … at zt), it holds how often each action was taken there, and how many records passed into it.
// Sums over records become sums over nodes with counts: exact, at the cost of the *distinct* histories
// (docs/mathematics/history-tree.md).
//
// Nodes are ordered by (depth, action, observation, parent). All nodes of one (depth, action, observation)
// form a group; in a group every parent occurs at most once. Node 0 is the root, the empty history.
//
// Records that a policy treats differently at one history (covariates) are counted by class there, or have a
// tree of their own each: RecordClasses. Records that may start with other beliefs share no history either
// way.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "interpole/records.hpp"

namespace interpole {

namespace data {
class TreePacket;
}

// Records with other covariates. kTogether: they share histories, and decisions are counted by class as well:
// to learn from, since a belief is computed once for a history. kApart: each class has a tree of its own, so
// that everything at a node is of one class: to apply a policy to.
enum class RecordClasses { kTogether, kApart };

struct HistoryTree {
  struct Group {
    std::int32_t action = 0;
    std::int32_t observation = kMissing;  // what the action yielded; kMissing: nothing recorded
    std::int32_t begin = 0;               // nodes [begin, end)
    std::int32_t end = 0;
  };

  // Where records stand in the order they were added, from 0: for what drifts from the first to the last.
  struct Places {
    double sum = 0.0;
    double squares = 0.0;
  };

  int action_count = 0;
  std::int64_t records = 0;
  std::int64_t decisions = 0;               // steps of all records
  std::vector<std::int32_t> parent;         // [node]; −1 for the root
  std::vector<std::int32_t> depth;          // [node]; number of steps in the history
  std::vector<std::int64_t> passes;         // [node]; records whose history begins so
  std::vector<std::int64_t> first_record;   // [node]; the earliest of them, in the order they were added
  std::vector<std::int64_t> action_counts;  // [node·A + a]; how often action a was taken at this history
  std::vector<Places> places;  // [node·A + a]; of the records that took action a at this history.
                               // Empty: the order is not known (records were added in bulk)
  std::vector<Group> groups;   // of all nodes but the root, in node order
  // Where records are told apart by covariates (for a policy that may follow them): decisions by history and
  // class of records.
  struct Classes {
    int covariate_count = 0;
    // [class·covariate_count + c], as DecisionContext has them. The order of classes follows from them, never
    // from that of the records.
    std::vector<double> covariates;
    std::vector<std::int32_t> node;           // [cell], ascending
    std::vector<std::int32_t> record_class;   // [cell], ascending at one node
    std::vector<std::int64_t> action_counts;  // [cell·A + a]
    std::vector<Places> places;               // [cell·A + a], where those of the tree are known

    bool none() const { return covariate_count == 0; }
    std::span<const double> covariates_of(int record_class_index) const {
      return std::span(covariates)
          .subspan(static_cast<std::size_t>(record_class_index) * covariate_count, covariate_count);
    }
  };
  Classes classes;
  // Of classes that are apart: the roots are nodes [0, root_count), each with the covariates of its class. Of
  // those that may start with other beliefs, the same with the covariates that tell so, the others NaN.
  // Otherwise there is one root, and nothing in `root_covariates`.
  int root_count = 1;
  std::vector<double> root_covariates;  // [root·n + c], as DecisionContext has them
  std::vector<int> roots_by;            // the covariates that tell roots apart; empty: all
  // [node·S + s]: how often state s was recorded as the diagnosis at this history; empty if none were
  // recorded. Never part of the likelihood; it only helps to name latent states.
  std::vector<std::int64_t> diagnosis_counts;

  int node_count() const { return static_cast<int>(parent.size()); }
  std::span<const double> covariates_of_root(int root) const {
    const std::size_t each = root_covariates.size() / static_cast<std::size_t>(root_count);
    return std::span(root_covariates).subspan(static_cast<std::size_t>(root) * each, each);
  }
  // Where histories of records with these covariates begin; −1: no record has them. O(log roots).
  std::int32_t root_of(std::span<const double> covariates) const;
  std::span<const std::int64_t> counts_at(int node) const {
    return {&action_counts[static_cast<std::size_t>(node) * action_count],
            static_cast<std::size_t>(action_count)};
  }
  std::int64_t decisions_at(int node) const;

  // The node each step of a record was decided at (the history before that step). The record must be one of
  // those the tree was built from, or share its histories; −1 from the first unknown history on. Its
  // covariates are asked for only where classes are apart.
  std::vector<std::int32_t> path_of(std::span<const Step> record,
                                    std::span<const double> covariates = {}) const;
};

// Collects records one at a time; holds the tree only, never the records.
class HistoryTreeBuilder {
 public:
  // sharing = false gives every record a path of its own below the root (a flat list): the same sums, for
  // comparison and for data whose outcomes never repeat.
  // `start_by`: the covariates, by place, with which starting beliefs may differ. Each combination has a root
  // of its own even where classes are together.
  explicit HistoryTreeBuilder(int action_count, bool sharing = true,
                              RecordClasses classes = RecordClasses::kTogether,
                              std::vector<int> start_by = {});

  // Steps after a terminal action are the caller's error; a trailing missing outcome adds no node.
  void add(std::span<const Step> record, std::int64_t multiplicity = 1);
  // The same with the diagnosis recorded at each step, after its outcome was seen: a state, or −1 for none.
  void add(std::span<const Step> record, std::span<const std::int32_t> diagnoses, int states,
           std::int64_t multiplicity = 1);
  // Records added from here on have these covariates (as many for each record of a tree).
  void set_covariates(std::span<const double> covariates);
  // Records are added in no order that means anything: a tree without places.
  void forget_order() { in_order_ = false; }
  HistoryTree build();  // leaves the builder empty

 private:
  friend class data::TreePacket;  // from one process to another

  // As HistoryTree::Places, in whole numbers: exact, so that sums of parts are the sums of the whole.
  struct ExactPlaces {
    std::uint64_t sum = 0;
    std::uint64_t squares = 0;       // modulo 2⁶⁴ …
    std::uint64_t squares_high = 0;  // … and what is above

    void add(std::uint64_t place);
    // Of so many records, at places that count from `begin`.
    void add(const ExactPlaces& from_begin, std::uint64_t count, std::uint64_t begin);
    HistoryTree::Places rounded() const;
  };

  std::int32_t child_of(std::int32_t node, Step step, std::int64_t record);
  std::int32_t append_node(std::int32_t parent, Step step, std::int64_t record);
  void grow_table();
  std::size_t cell_at(std::int32_t node, std::int32_t record_class);
  void count_in_class(std::int32_t node, int action, std::int64_t multiplicity);
  HistoryTree::Classes sorted_classes(const std::vector<std::int32_t>& rank) const;
  void choose_root(std::span<const double> covariates);
  std::int32_t root_for(const std::vector<std::uint64_t>& key);
  int class_for(std::span<const double> covariates);
  void order_roots(HistoryTree& tree, std::vector<std::int32_t>& order) const;

  int action_count_;
  bool sharing_;
  RecordClasses rule_;
  std::vector<int> start_by_;
  std::int64_t records_ = 0;
  std::int64_t decisions_ = 0;
  std::vector<std::int32_t> parent_, depth_;
  std::vector<Step> step_;
  std::vector<std::int64_t> passes_, first_record_, action_counts_;
  std::vector<ExactPlaces> places_;
  bool in_order_ = true;                        // each record was added by itself
  std::vector<std::int64_t> diagnosis_counts_;  // [node·states_ + s], as far as any were recorded
  int states_ = 0;
  std::vector<std::int32_t> table_;  // open addressing over (parent, action, observation); −1: empty
  int record_class_ = -1;            // of the records being added; −1: they are not told apart
  HistoryTree::Classes classes_;     // cells in the order they were met; their places are in …
  std::vector<ExactPlaces> cell_places_;
  std::int32_t root_ = 0;                                       // of the records being added
  std::map<std::vector<std::uint64_t>, std::int32_t> root_of_;  // by the bits of what tells roots apart
  std::map<std::vector<std::uint64_t>, int> class_of_;          // by the bits of the covariates
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> cell_of_;  // by node and class
};

// All records of a list, in order; told apart by their covariates, if they have any.
HistoryTree build_history_tree(int action_count, std::span<const Record> records, bool sharing = true,
                               RecordClasses classes = RecordClasses::kTogether,
                               const std::vector<int>& start_by = {});

}  // namespace interpole
