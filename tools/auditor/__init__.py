"""The parts of tools/audit.py, an auditor of ledgers that shares no code with the engine.

Written from the article "File format, version 0" alone. F, L, U, E and J with a number are its
rules.
"""
