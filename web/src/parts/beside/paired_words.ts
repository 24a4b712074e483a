// Which of two models foresees the recorded decisions better, in a sentence.
import type { BesideJson } from '../../core/payload';
import { figure } from '../check/check_words';

// `loss`: log loss of the second less that of the first, so that below zero the second is better.
export function pairedWords([first, second]: string[], loss: BesideJson['paired']['log_loss']): string {
  if (!loss || loss.low === null || loss.high === null) return 'Which of the two foresees decisions better is not known.';
  const [better, worse] = loss.middle < 0 ? [second, first] : [first, second];
  const [low, high] = loss.middle < 0 ? [-loss.high, -loss.low] : [loss.low, loss.high];
  const by = `by ${figure(Math.abs(loss.middle))} nats a decision (95% interval ${figure(low)} to ${figure(high)})`;
  return low > 0
    ? `${better} foresees the recorded decisions better than ${worse}, ${by}.`
    : `Neither is shown to foresee decisions better: ${better} does ${by}.`;
}
