"""Brier score, AUROC, AUPRC and calibration curves against scikit-learn's, on predictions with many ties."""
import subprocess
import sys
import unittest

import numpy
from sklearn.calibration import calibration_curve
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score

PROBE = sys.argv.pop(1)
TOLERANCE = 1e-12
SETS = 200


def predictions(random):
    """Scores with ties (few digits), labels of both kinds, and how often each was seen."""
    size = int(random.integers(2, 400))
    digits = int(random.integers(1, 4))
    scores = numpy.round(random.beta(0.7, 1.3, size), digits)
    labels = (random.random(size) < 0.2 + 0.6 * scores).astype(int)
    labels[:2] = [0, 1]
    weights = random.integers(1, 5, size) if random.random() < 0.5 else numpy.ones(size, int)
    return scores, labels, weights


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        random = numpy.random.default_rng(20210101)
        cls.sets = [predictions(random) for _ in range(SETS)]
        lines = [" ".join(f"{float(p)!r} {w * y} {w * (1 - y)}" for p, y, w in zip(*one)) for one in cls.sets]
        result = subprocess.run([PROBE], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        cls.ours = [line.split() for line in result.stdout.splitlines()]

    def compare(self, place, reference):
        worst = 0.0
        for ours, (scores, labels, weights) in zip(self.ours, self.sets):
            worst = max(worst, abs(float(ours[place]) - reference(labels, scores, sample_weight=weights)))
        self.assertLessEqual(worst, TOLERANCE)

    def test_there_are_ties_everywhere(self):
        self.assertEqual(len(self.ours), SETS)
        tied = sum(len(set(scores)) < len(scores) for scores, _, _ in self.sets)
        self.assertGreater(tied, 0.9 * SETS)

    def test_brier_score(self):
        self.compare(0, brier_score_loss)

    def test_area_under_the_roc_curve(self):
        self.compare(1, roc_auc_score)

    def test_average_precision(self):
        self.compare(2, average_precision_score)

    def test_calibration_curve(self):
        for ours, (scores, labels, weights) in zip(self.ours, self.sets):
            # scikit-learn's curve has no weights: copies instead.
            observed, predicted = calibration_curve(numpy.repeat(labels, weights), numpy.repeat(scores, weights),
                                                    n_bins=10, strategy="uniform")
            numbers = numpy.array(ours[3:], float)
            self.assertEqual(len(numbers), 2 * len(observed))
            self.assertLessEqual(numpy.abs(numbers[0::2] - observed).max(), TOLERANCE)
            self.assertLessEqual(numpy.abs(numbers[1::2] - predicted).max(), TOLERANCE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
