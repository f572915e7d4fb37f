"""Instances for tests of the benchmarks of the task waves."""

import random

CUSTOMERS = 10


def instance_text(name):
    """An instance in the competition's format: ten customers on a square of half an hour."""
    drawn = random.Random(name)
    places = [(drawn.randrange(1800), drawn.randrange(1800)) for _ in range(CUSTOMERS + 1)]
    matrix = [[abs(x - u) + abs(y - v) for u, v in places] for x, y in places]
    opens = [0] + [3600 * drawn.randrange(2, 6) for _ in range(CUSTOMERS)]
    closes = [36000] + [start + 5400 for start in opens[1:]]

    def section(title, rows):
        return [title, *(" ".join(map(str, row)) for row in rows)]

    lines = [f"NAME : {name}", "TYPE : VRPTW", f"DIMENSION : {CUSTOMERS + 1}", "EDGE_WEIGHT_TYPE : EXPLICIT"]
    lines += ["EDGE_WEIGHT_FORMAT : FULL_MATRIX", "CAPACITY : 50", *section("EDGE_WEIGHT_SECTION", matrix)]
    lines += section("NODE_COORD_SECTION", [(i + 1, *place) for i, place in enumerate(places)])
    lines += section("DEMAND_SECTION", [(i + 1, min(i, 1)) for i in range(CUSTOMERS + 1)])
    lines += ["DEPOT_SECTION", "1", "-1"]
    lines += section("SERVICE_TIME_SECTION", [(i + 1, 60 * min(i, 1)) for i in range(CUSTOMERS + 1)])
    lines += section("TIME_WINDOW_SECTION", [(i + 1, opens[i], closes[i]) for i in range(CUSTOMERS + 1)])
    return "\n".join([*lines, "EOF", ""])
