"""Methods × questions → results, through run, store and measures."""
