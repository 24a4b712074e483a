// exp(Q t) of a generator Q (rates ≥ 0 off the diagonal, rows that sum to zero), as model/time/generator_exponential.cpp has it,
// operation by operation.

const TERMS = 20;
const MOST_SQUARINGS = 60;

function multiplied(x: Float64Array, y: Float64Array, n: number): Float64Array<ArrayBuffer> {
  const product = new Float64Array(n * n);
  for (let i = 0; i < n; ++i) {
    for (let j = 0; j < n; ++j) {
      let sum = 0;
      for (let k = 0; k < n; ++k) sum += x[i * n + k] * y[k * n + j];
      product[i * n + j] = sum;
    }
  }
  return product;
}

function divideRows(matrix: Float64Array, n: number): void {
  for (let s = 0; s < n; ++s) {
    let sum = 0;
    for (let to = 0; to < n; ++to) sum += matrix[s * n + to];
    for (let to = 0; to < n; ++to) matrix[s * n + to] /= sum;
  }
}

export function exponential(Q: Float64Array, n: number, t: number): Float64Array {
  let fastest = 0;
  for (let s = 0; s < n; ++s) fastest = Math.max(fastest, -Q[s * n + s]);
  let squarings = 0;
  while (squarings < MOST_SQUARINGS && (fastest * t) / 2 ** squarings > 1) ++squarings;
  let scaled = t / 2 ** squarings;
  if (fastest * scaled > 1) scaled = 1 / fastest;
  const shift = fastest * scaled;
  const B = Q.map((rate) => rate * scaled);
  for (let s = 0; s < n; ++s) B[s * n + s] = Math.max(0, B[s * n + s] + shift);
  let sum = new Float64Array(n * n);
  for (let s = 0; s < n; ++s) sum[s * n + s] = 1;
  for (let term = TERMS; term >= 1; --term) {
    const product = multiplied(B, sum, n);
    sum = product.map((x) => x / term);
    for (let s = 0; s < n; ++s) sum[s * n + s] += 1;
  }
  let result = sum.map((x) => x * Math.exp(-shift));
  divideRows(result, n);
  for (let k = 0; k < squarings; ++k) {
    result = multiplied(result, result, n);
    divideRows(result, n);
  }
  return result;
}
