"""`python3 -m hourcast`."""

import sys

from .cli.main import main

sys.exit(main())
