"""The parts of tools/damage-drill: ledgers, their pages, the changes, and the judge."""
