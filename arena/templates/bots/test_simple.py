"""The arena plays some deals against the bot and checks each answer: python3 -m unittest

ARENA names the arena's program where it is not on the path.
"""

import os
import subprocess
import sys
import unittest


class Bot(unittest.TestCase):
    def test_it_follows_the_protocol(self):
        arena = os.environ.get("ARENA", "arena")
        bot = os.path.join(os.path.dirname(os.path.abspath(__file__)), "simple.py")
        command = [arena, "check-bot", "--rules", "contree", "--seed", "1", sys.executable, bot]
        checked = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)


if __name__ == "__main__":
    unittest.main()
