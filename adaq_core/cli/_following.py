"""Wait for a run in the background while showing what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adaq_core.cli._leaving import say
from adaq_core.events import Record

if TYPE_CHECKING:
    from adaq_core.runner import Runner
    from adaq_core.store import RunRow, Store

WAIT_FOR_STORE_SECONDS = 10.0
_LOOK_EVERY_SECONDS = 0.05


def the_runner() -> Runner:
    """The runner on the store of the home folder, for which another command may finish first."""
    from adaq_core.runner import get_runner
    from adaq_core.store import open_store

    open_store(wait_seconds=WAIT_FOR_STORE_SECONDS)
    return get_runner()


def the_store() -> Store:
    """The store of the home folder, for which another command may finish first."""
    from adaq_core.store import open_store

    return open_store(wait_seconds=WAIT_FOR_STORE_SECONDS)


@dataclass(slots=True)
class Follower:
    """Hands every record of a run on, once, until the run is over. `stopped` says that Ctrl-C has ended it."""

    runner: Runner
    run_id: str
    on_record: Callable[[Record], None]
    stopped: bool = False
    _seen: int = 0

    def follow(self) -> RunRow:
        """Follow to the end; the run's row then.

        The first Ctrl-C asks the run to stop, which still writes its answer; the second leaves at once.
        """
        while True:
            try:
                row = self.runner.wait(self.run_id, _LOOK_EVERY_SECONDS)
                self._hand_on()
            except KeyboardInterrupt:
                if self.stopped:
                    raise
                self.stopped = True
                self.runner.cancel(self.run_id)
                say("Stopping after this stage; press Ctrl-C again to leave at once.")
                continue
            if row.over:
                return row

    def _hand_on(self) -> None:
        for record in self.runner.store.records(self.run_id, after=self._seen):
            self._seen = record.seq
            self.on_record(record)
