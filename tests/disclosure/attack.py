"""Publishes random tables and tries to recover small counts: attack.py PROGRAM FIRST_SEED HOW_MANY"""
import sys
import tempfile

import lists
import random_publication
import solver

GROUPS_EVERY = 25  # comparing groups takes seconds


def attack(program, seeds, ledger=True, groups_every=GROUPS_EVERY):
    """{seed: small counts that were recovered}, how many shares were shown and withheld, and how many second audits the
    ledger refused."""
    found, shown, withheld, refused = {}, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        publisher = random_publication.Publisher(program, folder, ledger)
        for seed in seeds:
            publication = publisher.publish(seed, groups_every > 0 and seed % groups_every == 0)
            refused += publication["refused"] is not None
            leaks = solver.recovered(publication) + lists.recovered(publication)
            if leaks:
                found[seed] = leaks
                print(f"seed {seed}: {'; '.join(leaks)}", flush=True)
            for row in publication["audit"]["frequency"]:
                for names in solver.KINDS.values():
                    shown += row[names[0]] is not None
                    withheld += row[names[0]] is None
    return found, shown, withheld, refused


if __name__ == "__main__":
    first, count = int(sys.argv[2]), int(sys.argv[3])
    leaks, shown, withheld, refused = attack(sys.argv[1], range(first, first + count), "--without-ledger" not in sys.argv)
    print(f"{count} data sets, {shown} shares shown, {withheld} withheld, {refused} second audits refused, "
          f"{len(leaks)} with a small count recovered")
    sys.exit(1 if leaks else 0)
