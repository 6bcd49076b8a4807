"""Numbers with their nouns."""


def counted(number: int, noun: str) -> str:
    """`number` and the noun, in the plural where it has to be."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
