// How well a measured outcome agrees with each state (model/measured/outcome_weights.cpp).
import { logDensity } from './families';
import type { Measured } from './outcomes';

// Π_f p_f(z_f | a, s') for every state, divided by the largest of them; returns the logarithm of that. −∞ and all 0 if no state
// allows the outcome. `rows`: the parameters of all factors, state by state.
export function weightsInto(measured: Measured, rows: Float64Array, values: ArrayLike<number>, out: Float64Array): number {
  const { factors, columns } = measured;
  out.fill(0);
  factors.forEach((factor, k) => {
    if (Number.isNaN(values[k])) return;
    for (let s = 0; s < out.length; ++s) out[s] += logDensity(factor, values[k], rows, s * columns + factor.offset);
  });
  let highest = -Infinity;
  for (const w of out) highest = Math.max(highest, w);
  for (let s = 0; s < out.length; ++s) out[s] = Number.isFinite(highest) ? Math.exp(out[s] - highest) : 0;
  return highest;
}

// What a product of densities comes to as a chance: finite, and above 0 where the outcome is possible.
export function chanceOf(total: number, scale: number): number {
  return Math.min(Math.max(total * Math.exp(scale), 2.2250738585072014e-308), Number.MAX_VALUE);
}
