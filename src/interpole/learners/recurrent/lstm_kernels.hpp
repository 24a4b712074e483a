// Arithmetic of a small recurrent network on many histories at once: products of tall matrices with small
// ones, and the LSTM cell with its adjoint. Double precision. Compiled once per instruction set; the best one
// is chosen at run time. Every number is a sum in an order of its own that does not depend on which rows are
// handled together, so a history gives the same bits in any batch.
#pragma once

#include "interpole/base/aligned.hpp"

namespace interpole::learners {

// Widths of layers are multiples of this; narrower ones are filled up with zeros.
inline constexpr int kPanel = 8;

// A matrix cut into panels of kPanel columns, each stored row after row: [panel][row][column in panel].
struct PackedMatrix {
  int rows = 0;
  int columns = 0;
  base::AlignedVector<double> values;

  // From row-major storage.
  void pack(const double* matrix, int row_count, int column_count);
  void pack_transposed(const double* matrix, int row_count, int column_count);  // of the matrix given
};

// result[i·B.columns + j] += Σ_k A[i·B.rows + k] B[k, j] for `rows` rows of A.
void multiply_add(const double* A, int rows, const PackedMatrix& B, double* result);

// result[i·columns + j] += Σ_m A[m·width + i] B[m·columns + j] over `rows` rows of A and B, for the columns j
// of one panel only: panels may be left to different threads.
void multiply_transposed_add(const double* A, int width, const double* B, int columns, int rows, int panel,
                             double* result);

// One history's step of an LSTM of `units` cells. Gates are four rows of `units` numbers: input, forget,
// candidate, output. The root has no parent: null.
struct CellStep {
  int units = 0;
  const double* recurrent = nullptr;    // [4·units] from the parent's hidden state
  const double* input = nullptr;        // [4·units] from what was done and seen, with the bias
  const double* parent_cell = nullptr;  // [units]
  double* gates = nullptr;              // [4·units], after their sigmoid or tanh
  double* cell = nullptr;               // [units]
  double* squashed = nullptr;           // [units], tanh(cell)
  double* hidden = nullptr;             // [units], output gate · tanh(cell)
};
void cell_forward(const CellStep& step);

struct CellAdjoint {
  int units = 0;
  const double* parent_cell = nullptr;
  const double* squashed = nullptr;
  const double* d_hidden = nullptr;  // [units]
  const double* d_cell = nullptr;    // [units], from the children
  double* gates = nullptr;          // in: gates; out: derivatives with respect to what they are squashed from
  double* d_parent_cell = nullptr;  // added to
  double* d_recurrent = nullptr;    // added to
};
void cell_backward(const CellAdjoint& step);

}  // namespace interpole::learners
