"""Rules over records: what a rule is, the pass that applies them, and the reports that print what they found."""
