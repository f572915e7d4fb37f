"""Solves routing problems with the peers of Dray's oracles, in their virtual environment.

Reads one JSON object per line and answers each with one:
  {"solver": "pyvrp" or "ortools", "problem": ..., "seconds": limit, "seed": n}
      -> {"seconds": taken, "routes": [[stop, ...], ...] or null}, without the time to build the model
  {"solver": "rl4co", "env": "cvrptw" or "pdp", "stops": n, "batch": n, "repeats": n, "seed": n}
      -> {"milliseconds": [...], "parameters": n, "picks": decoding steps}

Times and limits are processor time, so that other programs do not count; everything here runs on one thread.
"""

import json
import sys
import time
import warnings

# Good plans rarely use vehicles beyond the free ones, and offering more of them slows a solver down.
SPARE_VEHICLES = 5


def busyness():
    """Returns the current ratio of wall-clock to processor time, at least 1: how much other programs slow this process down."""
    wall, work = time.perf_counter(), time.process_time()
    while time.process_time() - work < 0.05:
        pass
    return max(1.0, (time.perf_counter() - wall) / (time.process_time() - work))


def fleet(problem):
    """Returns (fixed cost, number) of each kind of vehicle."""
    kinds = [(0, problem["free_vehicles"])]
    if problem["extra_vehicle_cost"] is not None:
        kinds.append((problem["extra_vehicle_cost"], SPARE_VEHICLES))
    return kinds


def pyvrp_model(problem):
    import pyvrp

    model = pyvrp.Model()
    locations = [model.add_location(0, 0) for _ in problem["travel"]]
    opens, closes = problem["depot_window"]
    depot = model.add_depot(locations[problem["depot"]], tw_early=opens, tw_late=closes)
    for fixed_cost, count in fleet(problem):
        model.add_vehicle_type(
            count, problem["capacity"], depot, depot, fixed_cost=fixed_cost, tw_early=opens, tw_late=closes
        )
    for pickup, delivery in problem["requests"]:
        place, early, late, service, load = problem["stops"][pickup]
        if delivery < 0:
            model.add_client(locations[place], delivery=load, service_duration=service, tw_early=early, tw_late=late)
            continue
        to, delivery_early, delivery_late, delivery_service, _ = problem["stops"][delivery]
        model.add_shipment(
            locations[place], locations[to], early, late, service, delivery_early, delivery_late, delivery_service, load
        )
    for origin, row in zip(locations, problem["travel"]):
        for target, ticks in zip(locations, row):
            if origin is not target:
                model.add_edge(origin, target, distance=ticks, duration=ticks)
    return model.data()


def pyvrp_stop(problem, activity, singles, pairs):
    if activity.is_client():
        return singles[activity.idx][0]
    return pairs[activity.idx][0 if activity.is_pickup() else 1]


def solve_pyvrp(problem, seconds, seed):
    import pyvrp

    data = pyvrp_model(problem)
    begin = time.process_time()

    def stop(best_cost):
        return time.process_time() - begin > seconds

    result = pyvrp.solve(data, stop, seed=seed, collect_stats=False, display=False)
    taken = time.process_time() - begin
    if not result.is_feasible():
        return taken, None
    singles = [request for request in problem["requests"] if request[1] < 0]
    pairs = [request for request in problem["requests"] if request[1] >= 0]
    routes = [
        [pyvrp_stop(problem, activity, singles, pairs) for activity in route if not activity.is_depot()]
        for route in result.best.routes()
    ]
    return taken, routes


def ortools_model(problem):
    """Returns OR-Tools' model of a problem; nodes are the stops, then the depot."""
    from ortools.constraint_solver import pywrapcp

    stops, travel = problem["stops"], problem["travel"]
    depot = len(stops)
    kinds = fleet(problem)
    vehicles = sum(count for _, count in kinds)
    places = [stop[0] for stop in stops] + [problem["depot"]]
    manager = pywrapcp.RoutingIndexManager(len(places), vehicles, depot)
    routing = pywrapcp.RoutingModel(manager)
    between = [[travel[a][b] for b in places] for a in places]
    service = [stop[3] for stop in stops] + [0]
    cost = routing.RegisterTransitMatrix(between)
    duration = routing.RegisterTransitMatrix([[service[i] + leg for leg in row] for i, row in enumerate(between)])
    load = routing.RegisterUnaryTransitVector([stop[4] for stop in stops] + [0])
    routing.SetArcCostEvaluatorOfAllVehicles(cost)
    for vehicle in range(kinds[0][1], vehicles):
        routing.SetFixedCostOfVehicle(kinds[1][0], vehicle)
    opens, closes = problem["depot_window"]
    routing.AddDimension(duration, closes, closes, False, "time")
    routing.AddDimension(load, 0, problem["capacity"], True, "load")
    clock = routing.GetDimensionOrDie("time")
    for stop, (_, early, late, _, _) in enumerate(stops):
        clock.CumulVar(manager.NodeToIndex(stop)).SetRange(early, late)
    for vehicle in range(vehicles):
        clock.CumulVar(routing.Start(vehicle)).SetRange(opens, closes)
        clock.CumulVar(routing.End(vehicle)).SetRange(opens, closes)
    for pickup, delivery in problem["requests"]:
        if delivery < 0:
            continue
        first, then = manager.NodeToIndex(pickup), manager.NodeToIndex(delivery)
        routing.AddPickupAndDelivery(first, then)
        routing.solver().Add(routing.VehicleVar(first) == routing.VehicleVar(then))
        routing.solver().Add(clock.CumulVar(first) <= clock.CumulVar(then))
    return manager, routing


def solve_ortools(problem, seconds, seed):
    """Solves with OR-Tools; 0 seconds: only the first solution. There is no seed: its search is deterministic."""
    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    manager, routing = ortools_model(problem)
    parameters = pywrapcp.DefaultRoutingSearchParameters()
    parameters.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PARALLEL_CHEAPEST_INSERTION
    if seconds > 0:
        parameters.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
        # OR-Tools only knows wall-clock time.
        parameters.time_limit.FromMilliseconds(round(1000 * seconds * busyness()))
    else:
        parameters.solution_limit = 1
    begin = time.process_time()
    solution = routing.SolveWithParameters(parameters)
    taken = time.process_time() - begin
    if solution is None:
        return taken, None
    routes = []
    for vehicle in range(routing.vehicles()):
        route, index = [], solution.Value(routing.NextVar(routing.Start(vehicle)))
        while not routing.IsEnd(index):
            route.append(manager.IndexToNode(index))
            index = solution.Value(routing.NextVar(index))
        if route:
            routes.append(route)
    return taken, routes


def time_rl4co(env_name, stops, batch, repeats, seed):
    """Times greedy decoding of the untrained attention model, whose speed does not depend on its weights."""
    import torch
    from rl4co.envs import CVRPTWEnv, PDPEnv
    from rl4co.models.zoo.am import AttentionModelPolicy

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    env = {"cvrptw": CVRPTWEnv, "pdp": PDPEnv}[env_name](generator_params={"num_loc": stops})
    policy = AttentionModelPolicy(env_name=env.name, embed_dim=128, num_encoder_layers=3, num_heads=8).eval()
    problems = env.reset(batch_size=[batch])
    milliseconds = []
    with torch.inference_mode():
        for repeat in range(repeats + 1):  # the first is a warm-up
            copy = problems.clone()
            begin = time.process_time()
            actions = policy(copy, env, phase="test", decode_type="greedy", return_actions=True)["actions"]
            if repeat > 0:
                milliseconds.append(1000 * (time.process_time() - begin))
    parameters = sum(parameter.numel() for parameter in policy.parameters())
    return {"milliseconds": milliseconds, "parameters": parameters, "picks": actions.shape[1]}


def answer(task):
    solver = task.pop("solver")
    if solver == "rl4co":
        return time_rl4co(task["env"], task["stops"], task["batch"], task["repeats"], task["seed"])
    solve = {"pyvrp": solve_pyvrp, "ortools": solve_ortools}[solver]
    seconds, routes = solve(task["problem"], task["seconds"], task["seed"])
    return {"seconds": seconds, "routes": routes}


def main():
    warnings.filterwarnings("ignore")
    # Libraries may print; only answers go to the original standard output.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
