"""The errors that ADAQ raises on purpose.

AdaqError
├── InputError          what the user gave cannot be used (an empty question, an unknown method)
├── CorpusError         a corpus or a file of it cannot be read, found or stored
│   └── FileReadError   one file of a corpus: the rest goes in
├── DatasetError        a question set is incomplete or contradicts itself
├── StoreError          the run store cannot be opened or written
│   ├── StoreLocked     another process holds it
│   └── StoreTooNew     it was written by a later version of ADAQ
├── ModelError          a language model did not give a usable reply
│   ├── ModelMissing    its server does not have it; it can be pulled
│   ├── ModelRefused    its server wants a key, or refuses ours
│   └── ModelServerDown its server cannot be reached, or did not answer in time
├── EmbeddingError      the embedding model cannot be loaded or is not the one expected
└── SourceError         a live source could not be used

Every message says what was expected, what came, and what to do.
"""


class AdaqError(Exception):
    """Base of every error raised on purpose."""


class InputError(AdaqError):
    """What the user gave cannot be used."""


class CorpusError(AdaqError):
    """A corpus cannot be read, found or stored."""


class FileReadError(CorpusError):
    """One file of a corpus cannot be read; the others are not affected."""


class DatasetError(AdaqError):
    """A question set is incomplete or contradicts itself."""


class StoreError(AdaqError):
    """The run store cannot be opened or written."""


class StoreLocked(StoreError):
    """Another process holds the run store."""


class StoreTooNew(StoreError):
    """The run store was written by a later version of ADAQ."""


class ModelError(AdaqError):
    """A language model did not give a usable reply; `raw` is what it had said by then."""

    def __init__(self, message: str, *, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class ModelMissing(ModelError):
    """The server does not have the model; it can be pulled."""


class ModelRefused(ModelError):
    """The server wants a key, or refuses ours."""


class ModelServerDown(ModelError):
    """The model's server cannot be reached, or did not answer in time."""


class EmbeddingError(AdaqError):
    """The embedding model cannot be loaded or is not the one expected."""


class SourceError(AdaqError):
    """A live source could not be used."""


def in_words(error: Exception) -> str:
    """What went wrong: errors raised on purpose say it themselves, of others the kind is told too."""
    return str(error) if isinstance(error, AdaqError) else f"{type(error).__name__}: {error}"
