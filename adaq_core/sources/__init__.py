"""Live sources over HTTP, one file each."""
