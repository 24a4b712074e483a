"""No small count can be recovered from what is published of random tables: disclosure_test.py PROGRAM

A few tables; attack.py takes as many as it is told."""
import pathlib
import sys
import unittest

import attack
import lists
import solver

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()


class Disclosure(unittest.TestCase):
    def test_no_small_count_is_recovered_from_all_that_is_published(self):
        found, shown, withheld, _ = attack.attack(PROGRAM, range(20, 27))  # 25: with a comparison of groups
        self.assertEqual(found, {})
        self.assertGreater(shown, 20)
        self.assertGreater(withheld, 20)

    def test_without_the_ledger_two_audits_are_subtracted(self):
        found, *_ = attack.attack(PROGRAM, [10, 13], ledger=False, groups_every=0)
        self.assertEqual(set(found), {10, 13})

    def test_lists_of_counts_are_subtracted(self):
        self.assertEqual(lists.small_in([50, None, 40], 94, 5, "x"), ["x: withheld is 4"])
        self.assertEqual(lists.small_in([None, None, 40], 42, 5, "x"), ["x: withheld is 1"])
        self.assertEqual(lists.small_in([50, 4, 40], 94, 5, "x"), ["x: 4 is shown"])
        self.assertEqual(lists.small_in([None, None, 40], 50, 5, "x"), [])

    def test_the_reader_of_these_tests_subtracts(self):
        """Five flagged at site a: withheld alone, they follow from all patients and site b."""
        patients = [{"belated": str(int(i < (5 if site == "a" else 20))), "unlikely": "0", "uninformative": "0", "tests": "0",
                     "sex": "F", "age": "60", "site": site} for site in "ab" for i in range(50)]
        reader = solver.Reader(["site = a", "site = b"], patients)
        reader.learn("belated", reader.members(None), 25)
        secret = reader.row("belated", reader.members("site = a"))
        self.assertEqual(reader.range_of(secret), [0, 25])
        self.assertEqual(reader.known([("flagged at a", secret, 5)]), [])
        reader.learn("belated", reader.members("site = b"), 20)
        self.assertEqual(reader.range_of(secret), [5, 5])
        self.assertEqual(reader.known([("flagged at a", secret, 5)]), ["flagged at a = 5"])

    def test_an_end_that_the_solver_makes_up_is_no_leak(self):
        """Of seed 301 it presolved 0 to 7 to 3 to 3; the truth is 1."""
        self.assertEqual(attack.attack(PROGRAM, [301], groups_every=0)[0], {})


if __name__ == "__main__":
    unittest.main(verbosity=2)
