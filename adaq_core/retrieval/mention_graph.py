"""Which passage names which document: titles as a dictionary of names, found in the sentences of all passages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from adaq_core.model import Passage


class MentionGraph:
    """First stand-in: no mentions yet."""

    def __init__(self, size: int) -> None:
        self.size = size

    @classmethod
    def build(cls, passages: Sequence[Passage]) -> MentionGraph:
        """The graph of a corpus."""
        return cls(len(passages))

    def save(self, folder: Path) -> None:
        """Write the graph into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "size").write_text(str(self.size), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> MentionGraph:
        """What `save` wrote."""
        return cls(int((folder / "size").read_text(encoding="utf-8")))
