"""The run store, in DuckDB: the only place that holds SQL."""
