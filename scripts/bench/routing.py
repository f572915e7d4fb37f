"""Reads routing problems for benchmarks without Dray, and checks plans with code that no solver shares.

A problem is a dictionary, times and costs in ticks:
  name, ticks_per_unit; travel (rows of a square matrix), depot (a row of it), depot_window
  capacity, free_vehicles, extra_vehicle_cost (None: no further vehicles)
  stops     [place, opens, closes, service, load] each
  requests  [pickup, delivery] each, indices into stops; delivery -1 for a single stop
"""

import math
import pathlib


def read_solomon(path):
    """Reads a Solomon file. Distances and times are truncated to one decimal, ticks are tenths, as for the published optima."""
    lines = pathlib.Path(path).read_text().split("\n")
    numbers = [line.split() for line in lines if line.strip() and line.split()[0].isdigit()]
    vehicles, capacity = map(int, numbers[0])
    rows = [[float(value) for value in row] for row in numbers[1:]]

    def tenths(value):
        return math.floor(value * 10 + 1e-9)

    travel = [[tenths(math.hypot(a[1] - b[1], a[2] - b[2])) for b in rows] for a in rows]
    stops = [
        [place, tenths(row[4]), tenths(row[5]), tenths(row[6]), int(row[3])]
        for place, row in enumerate(rows)
        if place > 0
    ]
    return {
        "name": lines[0].strip(),
        "ticks_per_unit": 10,
        "travel": travel,
        "depot": 0,
        "depot_window": [tenths(rows[0][4]), tenths(rows[0][5])],
        "capacity": capacity,
        "free_vehicles": vehicles,
        "extra_vehicle_cost": None,
        "stops": stops,
        "requests": [[stop, -1] for stop in range(len(stops))],
    }


def city_problem(city, problem, name):
    """Returns one of the problems printed by //tests/oracle:oracle_speed, reduced to the places it uses."""
    places = sorted({city["depot"], *(stop[0] for stop in problem["stops"])})
    row_of = {place: row for row, place in enumerate(places)}
    travel = [[city["travel"][a * city["places"] + b] for b in places] for a in places]
    kept = ("ticks_per_unit", "depot_window", "capacity", "free_vehicles", "extra_vehicle_cost")
    return {
        "name": name,
        **{key: city[key] for key in kept},
        "travel": travel,
        "depot": row_of[city["depot"]],
        "stops": [[row_of[stop[0]], *stop[1:]] for stop in problem["stops"]],
        "requests": problem["requests"],
    }


def drive_route(problem, route, broken):
    """Returns the travel ticks of one vehicle; adds violated rules to `broken`."""
    travel, place, now, load = 0, problem["depot"], problem["depot_window"][0], 0
    for stop in route:
        to, opens, closes, service, change = problem["stops"][stop]
        leg = problem["travel"][place][to]
        travel, place = travel + leg, to
        start = max(now + leg, opens)
        now, load = start + service, load + change
        if start > closes:
            broken.append(f"stop {stop} is served at {start}, its window closed at {closes}")
        if not 0 <= load <= problem["capacity"]:
            broken.append(f"stop {stop} brings the load to {load}")
    leg = problem["travel"][place][problem["depot"]]
    if now + leg > problem["depot_window"][1]:
        broken.append(f"back at {now + leg}, the depot closed at {problem['depot_window'][1]}")
    return travel + leg


def drive(problem, routes):
    """Returns the cost of a plan in ticks, its vehicles, the number of unserved requests, and all violated rules."""
    routes, broken = [route for route in routes if route], []
    travel = sum(drive_route(problem, route, broken) for route in routes)
    where = {}
    for number, route in enumerate(routes):
        for position, stop in enumerate(route):
            if stop in where:
                broken.append(f"stop {stop} is visited twice")
            where[stop] = (number, position)
    unserved = 0
    for pickup, delivery in problem["requests"]:
        ends = [stop for stop in (pickup, delivery) if stop >= 0]
        if any(stop not in where for stop in ends):
            unserved += 1
            if any(stop in where for stop in ends):
                broken.append(f"half of request {pickup}, {delivery}")
        elif delivery >= 0 and (where[pickup][0] != where[delivery][0] or where[pickup] > where[delivery]):
            broken.append(f"{pickup} is not followed by {delivery} on one route")
    extra = max(0, len(routes) - problem["free_vehicles"])
    if extra and problem["extra_vehicle_cost"] is None:
        broken.append(f"{len(routes)} vehicles, there are {problem['free_vehicles']}")
    cost = travel + extra * (problem["extra_vehicle_cost"] or 0)
    return {"cost": cost, "vehicles": len(routes), "unserved": unserved, "broken": broken}
