"""How long tests wait. Under sanitizers the program is several times slower: the build says how much (cmake/rooms.cmake)."""
import os

FACTOR = float(os.environ.get("INTERPOLE_TEST_PATIENCE", "1"))


def slowed(seconds):
    """What takes the program this long takes it where it is tested."""
    return FACTOR * seconds
