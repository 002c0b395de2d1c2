"""Tables for terminals, or as Markdown to be put into a page."""

import sys


class Table:
    def __init__(self, title, header, markdown):
        self.title, self.rows, self.notes, self.markdown = title, [header], [], markdown

    def add(self, *row):
        self.rows.append(row)

    def judge(self, what, measured, aim, unit):
        """Puts a figure of LoadGen beside what it is to be at most."""
        self.notes.append(f"{what} {measured:.2f} {unit}, aim ≤ {aim:.2f} {unit}: {'met' if measured <= aim else 'missed'}")

    def print(self, against):
        """With the names of what has no row, and why."""
        print(f"\n{self.title}\n")
        print("\n".join(self.as_markdown() if self.markdown else self.aligned()))
        for note in self.notes + [f"{name} left out: {reason}" for name, reason in against.items()]:
            print(f"\n{note}" if self.markdown else note)
        sys.stdout.flush()

    def as_markdown(self):
        lines = [f"| {' | '.join(row)} |" for row in self.rows]
        return [lines[0], "|---" * len(self.rows[0]) + "|", *lines[1:]]

    def aligned(self):
        widths = [max(map(len, column)) for column in zip(*self.rows)]
        return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in self.rows]
