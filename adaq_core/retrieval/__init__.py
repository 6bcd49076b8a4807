"""Finding passages: lexical, dense, fused, and along names."""
