"""The service keeps what its OpenAPI schema promises, whatever is sent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from adaq_core.service.guards import ServiceLimits

ROOT = Path(__file__).parents[2]
# How fast it answers is a promise of a machine, not of the schema.
CHECKS = ["--checks", "all", "--max-response-time", "300"]
AT_MOST = ["--max-examples", "2", "--phases", "examples,coverage,fuzzing", "--generation-deterministic"]


def test_schemathesis_finds_nothing(serve, tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    # Every question that is one is taken, none is worked at, and nobody may follow it, for it never ends: what is asked
    # here is whether the schema is kept.
    limits = ServiceLimits(queue=10_000, waiting=0, streams=0, experiments=0)
    client, _ = serve(limits=limits, workers=0)
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{client.base_url}/openapi.json", *CHECKS, *AT_MOST]
    out = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert out.returncode == 0, f"{out.stdout[-6000:]}\n{out.stderr[-2000:]}"
