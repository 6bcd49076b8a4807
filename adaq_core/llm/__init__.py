"""Language models behind one small port."""
