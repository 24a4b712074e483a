// The end of an interval of a difference: "−21", "+5"; below one point with a decimal, so that it is not lost.
export function signedPoints(difference: number): string {
  const value = 100 * difference;
  const size = Math.abs(value) < 1 ? Math.abs(value).toFixed(1) : String(Math.round(Math.abs(value)));
  if (Number(size) === 0) return '0';
  return `${value > 0 ? '+' : '−'}${size}`;
}
