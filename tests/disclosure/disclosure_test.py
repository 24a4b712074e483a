"""No small count can be recovered from what is published of random tables: disclosure_test.py PROGRAM"""
import pathlib
import sys
import unittest

import attack
import solver

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()


class Disclosure(unittest.TestCase):
    def test_no_small_count_is_recovered_from_audit_and_page_together(self):
        found, shown, withheld = attack.attack(PROGRAM, range(1, 9))
        self.assertEqual(found, {})
        self.assertGreater(shown, 20)
        self.assertGreater(withheld, 20)

    def test_the_reader_of_these_tests_subtracts(self):
        """Five flagged at site a: withheld alone, they follow from all patients and site b."""
        patients = [{"belated": str(int(i < (5 if site == "a" else 20))), "unlikely": "0", "uninformative": "0",
                     "sex": "F", "age": "60", "site": site} for site in "ab" for i in range(50)]
        reader = solver.Reader(["site = a", "site = b"], patients)
        reader.learn("belated", reader.members(None), 25)
        secret = reader.row("belated", reader.members("site = a"))
        self.assertEqual(reader.range_of(secret), [0, 25])
        reader.learn("belated", reader.members("site = b"), 20)
        self.assertEqual(reader.range_of(secret), [5, 5])


if __name__ == "__main__":
    unittest.main(verbosity=2)
