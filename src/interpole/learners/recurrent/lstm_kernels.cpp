#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpole/learners/recurrent/lstm_kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>

#include "interpole/learners/recurrent/lstm_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace interpole::learners {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, kPanel>;
using V = hn::Vec<D>;

constexpr std::size_t kLanes = hn::MaxLanes(D());
constexpr std::size_t kVectors = kPanel / kLanes;  // of a row of a panel
constexpr std::size_t kMostRows = 8 / kVectors;    // eight sums hide the latency of one

// kRows rows of a product with one panel of `inner` rows. A[row·row_stride + k·inner_stride].
template <std::size_t kRows>
HWY_INLINE void add_rows(const double* HWY_RESTRICT A, std::size_t row_stride, std::size_t inner_stride,
                         const double* HWY_RESTRICT panel, std::size_t inner, double* HWY_RESTRICT result,
                         std::size_t result_stride) {
  const D d;
  V sum[kRows * kVectors];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[r * kVectors + v] = hn::LoadU(d, result + r * result_stride + v * kLanes);
    }
  }
  for (std::size_t k = 0; k < inner; ++k) {
    V b[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) b[v] = hn::LoadU(d, panel + k * kPanel + v * kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const V a = hn::Set(d, A[r * row_stride + k * inner_stride]);
      for (std::size_t v = 0; v < kVectors; ++v)
        sum[r * kVectors + v] = hn::MulAdd(a, b[v], sum[r * kVectors + v]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(sum[r * kVectors + v], d, result + r * result_stride + v * kLanes);
    }
  }
}

// Any number of rows: as many as possible at a time, then half as many, …
template <std::size_t kRows>
HWY_INLINE void add_panel(const double* A, std::size_t rows, std::size_t row_stride, std::size_t inner_stride,
                          const double* panel, std::size_t inner, double* result, std::size_t result_stride) {
  std::size_t done = 0;
  for (; done + kRows <= rows; done += kRows) {
    add_rows<kRows>(A + done * row_stride, row_stride, inner_stride, panel, inner,
                    result + done * result_stride, result_stride);
  }
  if constexpr (kRows > 1) {
    if (done < rows) {
      add_panel<kRows / 2>(A + done * row_stride, rows - done, row_stride, inner_stride, panel, inner,
                           result + done * result_stride, result_stride);
    }
  }
}

void multiply_add_best(const double* A, int rows, const PackedMatrix& B, double* result) {
  constexpr int kBlock = 64;  // rows of A that stay in the first cache while the panels pass
  for (int begin = 0; begin < rows; begin += kBlock) {
    const int size = std::min(kBlock, rows - begin);
    for (int column = 0; column < B.columns; column += kPanel) {
      add_panel<kMostRows>(A + static_cast<std::size_t>(begin) * B.rows, size, B.rows, 1,
                           &B.values[static_cast<std::size_t>(column) * B.rows], B.rows,
                           result + static_cast<std::size_t>(begin) * B.columns + column, B.columns);
    }
  }
}

void multiply_transposed_best(const double* A, int width, const double* B, int columns, int rows, int panel,
                              double* result) {
  constexpr int kBlock = 64;
  const std::size_t column = static_cast<std::size_t>(panel) * kPanel;
  HWY_ALIGN double packed[kBlock * kPanel];
  for (int begin = 0; begin < rows; begin += kBlock) {
    const int size = std::min(kBlock, rows - begin);
    for (int m = 0; m < size; ++m) {
      const double* from = B + static_cast<std::size_t>(begin + m) * columns + column;
      for (int j = 0; j < kPanel; ++j) packed[m * kPanel + j] = from[j];
    }
    add_panel<kMostRows>(A + static_cast<std::size_t>(begin) * width, width, 1, width, packed, size,
                         result + column, columns);
  }
}

// 1 / (1 + e^-x). Beyond ±700 nothing changes any more that a double could tell, and e^700 is still a number.
HWY_INLINE V sigmoid(V x) {
  const D d;
  const V one = hn::Set(d, 1.0);
  const V limited = hn::Min(hn::Max(hn::Neg(x), hn::Set(d, -700.0)), hn::Set(d, 700.0));
  return hn::Div(one, hn::Add(one, hn::Exp(d, limited)));
}

// 2 σ(2x) − 1: its absolute error is that of one rounding, which is all a bounded activation needs.
HWY_INLINE V squash(V x) {
  const D d;
  return hn::MulSub(hn::Set(d, 2.0), sigmoid(hn::Add(x, x)), hn::Set(d, 1.0));
}

void cell_forward_best(const CellStep& step) {
  const D d;
  const auto units = static_cast<std::size_t>(step.units);
  for (std::size_t u = 0; u < units; u += kLanes) {
    V gate[4];
    for (std::size_t g = 0; g < 4; ++g) {
      gate[g] = hn::LoadU(d, step.input + g * units + u);
      if (step.recurrent != nullptr) {
        gate[g] = hn::Add(gate[g], hn::LoadU(d, step.recurrent + g * units + u));
      }
      gate[g] = g == 2 ? squash(gate[g]) : sigmoid(gate[g]);
      hn::StoreU(gate[g], d, step.gates + g * units + u);
    }
    V cell = hn::Mul(gate[0], gate[2]);
    if (step.parent_cell != nullptr) {
      cell = hn::MulAdd(gate[1], hn::LoadU(d, step.parent_cell + u), cell);
    }
    const V squashed = squash(cell);
    hn::StoreU(cell, d, step.cell + u);
    hn::StoreU(squashed, d, step.squashed + u);
    hn::StoreU(hn::Mul(gate[3], squashed), d, step.hidden + u);
  }
}

// d · y (1 − y): through a sigmoid whose value is y.
HWY_INLINE V through_sigmoid(V derivative, V y) {
  return hn::Mul(derivative, hn::NegMulAdd(y, y, y));
}

void cell_backward_best(const CellAdjoint& step) {
  const D d;
  const auto units = static_cast<std::size_t>(step.units);
  const V one = hn::Set(d, 1.0);
  for (std::size_t u = 0; u < units; u += kLanes) {
    V gate[4];
    for (std::size_t g = 0; g < 4; ++g) gate[g] = hn::LoadU(d, step.gates + g * units + u);
    const V squashed = hn::LoadU(d, step.squashed + u);
    const V d_hidden = hn::LoadU(d, step.d_hidden + u);
    const V slope = hn::NegMulAdd(squashed, squashed, one);
    const V d_cell = hn::MulAdd(hn::Mul(d_hidden, gate[3]), slope, hn::LoadU(d, step.d_cell + u));
    V before[4];
    before[0] = through_sigmoid(hn::Mul(d_cell, gate[2]), gate[0]);
    before[1] = hn::Zero(d);
    before[2] = hn::Mul(hn::Mul(d_cell, gate[0]), hn::NegMulAdd(gate[2], gate[2], one));
    before[3] = through_sigmoid(hn::Mul(d_hidden, squashed), gate[3]);
    if (step.parent_cell != nullptr) {
      before[1] = through_sigmoid(hn::Mul(d_cell, hn::LoadU(d, step.parent_cell + u)), gate[1]);
      hn::StoreU(hn::MulAdd(d_cell, gate[1], hn::LoadU(d, step.d_parent_cell + u)), d,
                 step.d_parent_cell + u);
    }
    for (std::size_t g = 0; g < 4; ++g) {
      hn::StoreU(before[g], d, step.gates + g * units + u);
      if (step.d_recurrent != nullptr) {
        double* sum = step.d_recurrent + g * units + u;
        hn::StoreU(hn::Add(before[g], hn::LoadU(d, sum)), d, sum);
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace interpole::learners
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace interpole::learners {

HWY_EXPORT(multiply_add_best);
HWY_EXPORT(multiply_transposed_best);
HWY_EXPORT(cell_forward_best);
HWY_EXPORT(cell_backward_best);

void PackedMatrix::pack(const double* matrix, int row_count, int column_count) {
  rows = row_count;
  columns = column_count;
  values.resize(static_cast<std::size_t>(rows) * columns);
  double* to = values.data();
  for (int panel = 0; panel < columns; panel += kPanel) {
    for (int row = 0; row < rows; ++row, to += kPanel) {
      std::copy_n(matrix + static_cast<std::size_t>(row) * columns + panel, kPanel, to);
    }
  }
}

void PackedMatrix::pack_transposed(const double* matrix, int row_count, int column_count) {
  rows = column_count;
  columns = row_count;
  values.resize(static_cast<std::size_t>(rows) * columns);
  double* to = values.data();
  for (int panel = 0; panel < columns; panel += kPanel) {
    for (int row = 0; row < rows; ++row) {
      for (int j = 0; j < kPanel; ++j) *to++ = matrix[static_cast<std::size_t>(panel + j) * rows + row];
    }
  }
}

void multiply_add(const double* A, int rows, const PackedMatrix& B, double* result) {
  HWY_DYNAMIC_DISPATCH(multiply_add_best)(A, rows, B, result);
}
void multiply_transposed_add(const double* A, int width, const double* B, int columns, int rows, int panel,
                             double* result) {
  HWY_DYNAMIC_DISPATCH(multiply_transposed_best)(A, width, B, columns, rows, panel, result);
}
void cell_forward(const CellStep& step) {
  HWY_DYNAMIC_DISPATCH(cell_forward_best)(step);
}
void cell_backward(const CellAdjoint& step) {
  HWY_DYNAMIC_DISPATCH(cell_backward_best)(step);
}

}  // namespace interpole::learners
#endif  // HWY_ONCE
