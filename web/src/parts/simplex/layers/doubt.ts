// With three regions or more, bands along single lines would say something about places where a third action wins. Here the
// question is asked of every place: do the posterior draws agree on the most likely action?
import { affineThrough, type Affine } from '../../../core/geometry/polygon';
import { cornerScores } from '../../../core/geometry/regions';
import type { Panel } from '../../../core/geometry/simplex_layout';
import type { Mind, Policy } from '../../../core/model';
import { boxOf, type Point } from '../frame';

const dissent = 0.025; // as many draws on either side as a 95% interval leaves out
const rows = 260;

type Stretch = { from: number; to: number; action: number };

// Rows of rectangles covering all places where at least 2.5% of the draws would rather do something else; to be clipped.
export function doubtPath(panel: Panel, policy: Policy, draws: Mind[], place: (p: Point) => Point): string {
  if (draws.length < 10) return '';
  const box = boxOf(panel.outline);
  const own = scoresOn(panel, policy);
  const others = draws.map((draw) => scoresOn(panel, draw.policy));
  const tall = (box.bottom - box.top) / rows;
  const enough = Math.max(1, dissent * draws.length);
  let path = '';
  for (let row = 0; row < rows; ++row) {
    const y = box.top + (row + 0.5) * tall;
    const fitted = bestAlong(own, y, box.left, box.right);
    const turns: [number, number][] = [];
    for (const scores of others) {
      for (const { from, to } of differing(fitted, bestAlong(scores, y, box.left, box.right))) turns.push([from, 1], [to, -1]);
    }
    for (const [from, to] of crowded(turns, enough)) {
      const [x0, y0] = place([from, y - tall / 2]);
      const [x1, y1] = place([to, y + tall / 2]);
      path += `M${x0.toFixed(1)} ${y0.toFixed(1)}H${x1.toFixed(1)}V${(y1 + 0.1).toFixed(1)}H${x0.toFixed(1)}Z`;
    }
  }
  return path;
}

function scoresOn(panel: Panel, policy: Policy): Affine[] {
  return policy.means.map((_, action) => affineThrough(panel.corners, cornerScores(panel, policy, action)));
}

// Which action is the most likely one along a row: scores are straight lines in x, so the winner's slope only grows.
export function bestAlong(scores: Affine[], y: number, left: number, right: number): Stretch[] {
  const at = (f: Affine, x: number) => f.a * x + f.b * y + f.c;
  const stretches: Stretch[] = [];
  let x = left;
  let best = 0;
  scores.forEach((f, action) => {
    const lead = at(f, x) - at(scores[best], x);
    if (lead > 0 || (lead === 0 && f.a > scores[best].a)) best = action;
  });
  for (;;) {
    let [next, end] = [-1, right];
    scores.forEach((f, action) => {
      if (!(f.a > scores[best].a)) return;
      const meet = x + (at(scores[best], x) - at(f, x)) / (f.a - scores[best].a);
      if (meet < end) [next, end] = [action, meet];
    });
    stretches.push({ from: x, to: end, action: best });
    if (next < 0) return stretches;
    [best, x] = [next, end];
  }
}

function differing(one: Stretch[], other: Stretch[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const from = Math.max(one[i].from, other[j].from);
    const to = Math.min(one[i].to, other[j].to);
    if (one[i].action !== other[j].action && to > from) found.push({ from, to });
    if (one[i].to < other[j].to) ++i;
    else ++j;
  }
  return found;
}

// Where at least `enough` of the stretches that begin (+1) and end (−1) at the turns lie on one another.
function crowded(turns: [number, number][], enough: number): [number, number][] {
  const found: [number, number][] = [];
  let [count, since] = [0, 0];
  for (const [x, step] of turns.sort((p, q) => p[0] - q[0])) {
    const before = count >= enough;
    count += step;
    if (!before && count >= enough) since = x;
    else if (before && count < enough && x > since) {
      const last = found[found.length - 1];
      if (last && last[1] === since) last[1] = x;
      else found.push([since, x]);
    }
  }
  return found;
}
