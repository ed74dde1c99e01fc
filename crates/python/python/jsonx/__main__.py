"""The command ``jsonx``."""

import signal
import sys

from jsonx._jsonx import run


def main() -> int:
    """Runs the command with the arguments of the process."""
    # Python would only record an interrupt until the command returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["jsonx", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
