"""Filings and reports: whose they are, of which period, where their statements stand and what their rows say."""
