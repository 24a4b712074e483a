// The free parameters of a model as one vector of unconstrained coordinates. Known values and masks are held;
// every row that has something left to learn becomes a block of coordinates (coordinates.hpp).
//
// Dynamics and policy have spaces of their own, so that an agent's and a world's dynamics can be two points
// of one space.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpole/model/measured/families.hpp"
#include "interpole/model/term_space.hpp"
#include "interpole/parameters.hpp"

namespace interpole::model {

// One row of free numbers: where they are in their array, and what they sum to; or one number of a measured
// factor, which has a form of its own.
struct ParameterBlock {
  Field field = Field::kInitial;
  std::vector<int> entries;                // of the field's array
  std::vector<std::vector<int>> copies{};  // rows that are tied to it, entry by entry
  double mass = 1.0;                       // 1 − what is known in the row
  int offset = 0;                          // of its coordinates
  int size = 0;                            // how many coordinates
  std::string name;                        // e.g. observation[monitor,diseased]
  int kind = 0;                            // of decision-makers, for η and means; 0: the commonest
  ParameterForm form{{}, ParameterForm::Kind::kProbability};

  bool single() const { return form.kind != ParameterForm::Kind::kProbability; }
};

// The coordinates of a block's values, one for each entry. Zeros among probabilities are lifted to a floor.
void block_coordinates(const ParameterBlock& block, std::span<const double> values, std::span<double> y);

// [rows | starting beliefs by covariates]
class DynamicsSpace {
 public:
  // `known`: NaN marks what is to be learned; of starting beliefs by a covariate, all weights or none. Throws
  // an input error if rows are tied that know different things, or whose actions yield different outcomes.
  DynamicsSpace(const Structure& structure, const Dynamics& known, const Ties& ties = {});

  int size() const { return size_ + start_size_; }
  const std::vector<ParameterBlock>& blocks() const { return blocks_; }

  // The weights of a starting term that is learned: coordinates [offset, offset + size) of the last part.
  struct StartBlock {
    int term = 0;  // of Dynamics::start
    ZeroSum zero_sum;
    int offset = 0;
    int size = 0;
    std::string name;  // start by age
  };
  const std::vector<StartBlock>& start_blocks() const { return start_; }
  int start_size() const { return start_size_; }
  // Of these blocks alone, which come last: from coordinates, and d_y += (∂ weights/∂ y)ᵀ gradient.
  template <class Scalar>
  std::span<Scalar> start_part(std::span<Scalar> y) const {
    return y.subspan(size_, start_size_);
  }
  void point_start(std::span<const double> start_y, std::vector<StartTerm>& start) const;
  void pull_back_start(const std::vector<StartTerm>& gradient, std::span<double> d_start_y) const;
  // One name for each coordinate, `prefix` before those of rows: what a start differs by is of agent and
  // world.
  void append_all_names(const std::string& prefix, std::vector<std::string>& names) const;

  Dynamics point(std::span<const double> y) const;
  void point(std::span<const double> y,
             Dynamics& dynamics) const;  // dynamics: from point() before, entries known set
  void coordinates(const Dynamics& dynamics, std::span<double> y) const;
  // d_y += (∂ dynamics/∂ y)ᵀ gradient
  void pull_back(const Dynamics& at, const Dynamics& gradient, std::span<double> d_y) const;
  double log_jacobian(const Dynamics& at, std::span<double> d_y) const;

 private:
  // The parameters of measured factors after an action.
  void add_factors(const Structure& structure, const Ties& ties, const Dynamics& stated, int action);
  // The row that begins at `begin` copies the one that begins at `like`.
  void tie_row(Field field, const std::vector<double>& stated, int like, int begin, int length,
               const std::string& name);

  Dynamics known_;
  std::vector<ParameterBlock> blocks_;
  int size_ = 0;  // of rows
  std::vector<StartBlock> start_;
  int start_size_ = 0;
};

// [η and means | η and means of the other kinds | shares of the kinds | terms]
class PolicySpace {
 public:
  PolicySpace(const Structure& structure, const Policy& known);

  int size() const { return size_ + terms_.size() + kinds_size_ + shares_size_; }
  // Of η and the means.
  const std::vector<ParameterBlock>& blocks() const { return blocks_; }
  // Of the other kinds of decision-makers: for each, as many as blocks() has, in the same order.
  const std::vector<ParameterBlock>& kind_blocks() const { return kind_blocks_; }
  // The shares of all kinds, the commonest first, are a simplex.
  template <class Scalar>
  std::span<Scalar> shares_part(std::span<Scalar> y) const {
    return y.subspan(size_ + kinds_size_, shares_size_);
  }
  const TermSpace& terms() const { return terms_; }
  template <class Scalar>
  std::span<Scalar> terms_part(std::span<Scalar> y) const {
    return y.subspan(size_ + kinds_size_ + shares_size_, terms_.size());
  }

  Policy point(std::span<const double> y) const;
  void point(std::span<const double> y, Policy& policy) const;
  void coordinates(const Policy& policy, std::span<double> y) const;
  void pull_back(const Policy& at, const Policy& gradient, std::span<double> d_y) const;
  double log_jacobian(const Policy& at, std::span<double> d_y) const;
  // Of every coordinate: the row or term it belongs to.
  std::vector<std::string> names() const;

 private:
  Policy known_;
  std::vector<ParameterBlock> blocks_;
  std::vector<ParameterBlock> kind_blocks_;
  int size_ = 0;  // of η and the means
  int kinds_size_ = 0;
  int shares_size_ = 0;
  TermSpace terms_;
};

// One name for each coordinate: that of its block.
void append_names(const std::vector<ParameterBlock>& blocks, const std::string& prefix,
                  std::vector<std::string>& names);

// The numbers of one field.
std::vector<double>& field_of(Dynamics& dynamics, Field field);
const std::vector<double>& field_of(const Dynamics& dynamics, Field field);

}  // namespace interpole::model
