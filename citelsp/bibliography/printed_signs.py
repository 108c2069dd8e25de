"""The signs that stand in a printed reference for what tells its parts apart; private characters, which no text has."""

import re

BLOCK, ITALIC, ROMAN, BOLD, LIGHT = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
SIGNS = re.compile(f"[{BLOCK}-{LIGHT}]")
