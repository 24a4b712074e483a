"""Publishes random tables and tries to recover small counts: attack.py PROGRAM FIRST_SEED HOW_MANY"""
import sys
import tempfile

import random_publication
import solver


def attack(program, seeds):
    """{seed: small counts that were recovered}, and how many rows were withheld and shown."""
    found, shown, withheld = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        publisher = random_publication.Publisher(program, folder)
        for seed in seeds:
            publication = publisher.publish(seed)
            leaks = solver.recovered(publication)
            if leaks:
                found[seed] = leaks
            for row in publication["audit"]["frequency"]:
                for names in solver.KINDS.values():
                    shown += row[names[0]] is not None
                    withheld += row[names[0]] is None
    return found, shown, withheld


if __name__ == "__main__":
    first, count = int(sys.argv[2]), int(sys.argv[3])
    leaks, shown, withheld = attack(sys.argv[1], range(first, first + count))
    for seed, what in leaks.items():
        print(f"seed {seed}: {'; '.join(what)}")
    print(f"{count} publications, {shown} shares shown, {withheld} withheld, {len(leaks)} with a small count recovered")
    sys.exit(1 if leaks else 0)
