// Functions that densities need and browsers lack, to about fifteen digits (model/measured/special_functions.cpp, outcome_points.cpp).

const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);
const FAR_TAIL = -10;

// log Γ(x), x > 0: Stirling's series, for small x after some steps of Γ(x) = Γ(x + 1)/x.
export function logGamma(x: number): number {
  let product = 1;
  let z = x;
  while (z < 12) product *= z++;
  const y = 1 / (z * z);
  const series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - (y * 691) / 360360))))) / z;
  return (z - 0.5) * Math.log(z) - z + HALF_LOG_TWO_PI + series - Math.log(product);
}

// The complementary error function, x ≥ 0: a series near 0, Laplace's continued fraction elsewhere.
function complementaryError(x: number): number {
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; n < 80; ++n) sum += term *= (2 * x * x) / (2 * n + 1);
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }
  let tail = 0;
  for (let k = 120; k >= 1; --k) tail = (0.5 * k) / (x + tail);
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + tail));
}

// log Φ(x), Φ the distribution function of the standard normal.
export function logNormalProbability(x: number): number {
  if (x < FAR_TAIL) {
    let tail = -x;
    for (let k = 60; k >= 1; --k) tail = -x + k / tail;
    return -0.5 * x * x - HALF_LOG_TWO_PI - Math.log(tail);
  }
  if (x > 0) return Math.log1p(-0.5 * complementaryError(x / Math.SQRT2));
  return Math.log(0.5 * complementaryError(-x / Math.SQRT2));
}

export function normalLogDensity(t: number, spread: number): number {
  return -0.5 * t * t - Math.log(spread) - HALF_LOG_TWO_PI;
}

const polynomial = (coefficients: number[], x: number) => coefficients.reduce((sum, c) => sum * x + c, 0);
const centre = [
  [2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457, 13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608],
  [5226.495278852545925, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867, 5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1],
];
const middle = [
  [7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177, 1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734],
  [1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187, 1],
];
const far = [
  [2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386, 0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772],
  [2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531, 0.59983220655588793769, 1],
];

// x with Φ(x) = p, 0 < p < 1 (Wichura, Algorithm AS 241).
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(centre[0], r)) / polynomial(centre[1], r);
  }
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)));
  const part = r <= 5 ? middle : far;
  const x = r - (r <= 5 ? 1.6 : 5);
  return (Math.sign(q) * polynomial(part[0], x)) / polynomial(part[1], x);
}
