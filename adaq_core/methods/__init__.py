"""The controllers: one generator function per file."""
