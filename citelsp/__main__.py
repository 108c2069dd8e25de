"""python -m citelsp."""

import sys

from citelsp.cli import main

sys.exit(main())
