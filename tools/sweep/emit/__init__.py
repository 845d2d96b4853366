"""What a study writes: tables, records, plots, a manifest; all of it whole or nothing."""
