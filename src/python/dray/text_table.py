"""Tables for a terminal."""

from collections.abc import Collection, Iterator, Sequence


def text_table(rows: Sequence[Sequence[str]], numbers: Collection[int] = (), indent: str = "") -> str:
    """Formats a table. Columns whose indices are in `numbers` are aligned right, the others left."""
    widths = [max(map(len, column)) for column in zip(*rows)]

    def cells(row: Sequence[str]) -> Iterator[str]:
        return (
            text.rjust(width) if i in numbers else text.ljust(width) for i, (text, width) in enumerate(zip(row, widths))
        )

    return "\n".join((indent + "  ".join(cells(row))).rstrip() for row in rows)
