"""What the speed and memory figures are made with: `python -m benchmarks.run`."""
