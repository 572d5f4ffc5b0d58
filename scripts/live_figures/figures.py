"""A figure beside its goal, the table of them, and their JSON."""

import dataclasses


@dataclasses.dataclass
class Figure:
    """`goal` is a bound with `least`, an upper one without; None for what is only told."""

    name: str
    value: float
    unit: str
    method: str
    goal: float | None = None
    least: bool = True
    # More to know, for programs.
    details: dict = dataclasses.field(default_factory=dict)

    @property
    def met(self):
        if self.goal is None:
            return None
        return self.value >= self.goal if self.least else self.value <= self.goal

    def json(self):
        told = {"name": self.name, "value": round(self.value, 4), "unit": self.unit, "method": self.method}
        if self.goal is not None:
            told |= {"goal": self.goal, "goalIs": "at least" if self.least else "at most", "met": self.met}
        return told | self.details

    def columns(self):
        word = {None: "", True: "met", False: "MISSED"}[self.met]
        goal = "" if self.goal is None else f"{'>=' if self.least else '<='} {grouped(self.goal)}"
        return [word, self.name, grouped(self.value), self.unit, goal, self.method]


def grouped(value):
    """Four significant digits, or all before the point."""
    size = abs(value)
    decimals = 0 if size >= 1_000 or value == int(value) else 1 if size >= 100 else 2 if size >= 10 else 3
    return f"{value:,.{decimals}f}"


def table(figures):
    rows = [figure.columns() for figure in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    lines = []
    for row in rows:
        cells = [cell.rjust(widths[column]) if column == 2 else cell.ljust(widths[column]) for column, cell in enumerate(row)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def percentile(values, per_mille):
    """The smallest value that so many thousandths do not exceed."""
    ordered = sorted(values)
    rank = -(-len(ordered) * per_mille // 1_000)
    return ordered[max(0, rank - 1)]


def median(values):
    return percentile(values, 500)
