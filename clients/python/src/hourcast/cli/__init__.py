"""The command line: `python3 -m hourcast`."""
