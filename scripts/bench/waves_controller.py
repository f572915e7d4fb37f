#!/usr/bin/env python3
"""Lets Dray play a day under the competition's own controller.py (EURO Meets NeurIPS 2022, dynamic problem), as a solver of its protocol.

In a clone of https://github.com/ortec/euro-neurips-vrp-2022-quickstart:

  python controller.py --instance instances/NAME.txt --instance_seed 1 --epoch_tlim 10 -- \\
      DRAY/scripts/bench/waves_controller.py --instance instances/NAME.txt --seconds 8

The instance is the controller's; it tells where futures are sampled from. Decisions come from `waves_serve`, built before (bazel build
//:waves_serve) or named by --serve.
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def clock(seconds):
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


class Controller:
    """The program that started this one, at the other end of standard input and output."""

    def ask(self, action, data=None):
        print(json.dumps({"action": action, "data": data}), flush=True)
        return json.loads(sys.stdin.readline())


class Serve:
    """A `waves_serve` process."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, told):
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "waves_serve ended"}')
        if "error" in answer:
            sys.exit(f"waves_controller: {answer['error']}")
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def orders_of(observation, known):
    """Returns the requests that are not known yet, as orders. The controller gives times from when the vehicles leave."""
    leaves = observation["planning_starttime"]
    epoch = observation["epoch_instance"]
    columns = zip(
        *(epoch[name] for name in ("request_idx", "customer_idx", "time_windows", "service_times", "demands"))
    )
    return [
        {
            "order": request,
            "place": place,
            "opens": clock(leaves + window[0]),
            "closes": clock(leaves + window[1]),
            "service": service / 60,
            "load": load,
        }
        for request, place, window, service, load in columns
        if request > 0 and request not in known
    ]


def play(controller, serve):
    observation = controller.ask("reset")["observation"]
    known = set()
    done = False
    while not done:
        orders = orders_of(observation, known)
        known.update(order["order"] for order in orders)
        wave = serve.answer({"leaves": clock(observation["planning_starttime"]), "orders": orders})
        routes = [[int(stop["order"]) for stop in route["stops"]] for route in wave["routes"]]
        result = controller.ask("step", routes)
        if result["info"].get("error"):
            sys.exit(f"waves_controller: the controller refuses a wave: {result['info']['error']}")
        observation, done = result["observation"], result["done"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instance", required=True, help="the controller's instance")
    parser.add_argument("--seconds", type=float, default=8, help="time for each decision, on one core [8 s]")
    parser.add_argument("--policy", default="conditional", help="policy of waves_serve [conditional]")
    parser.add_argument("--run-dir", help="run whose policy decides, instead")
    parser.add_argument("--serve", default=ROOT / "bazel-bin/ray_actors/waves_serve", help="the program waves_serve")
    arguments = parser.parse_args()
    if not pathlib.Path(arguments.serve).is_file():
        sys.exit(f"waves_controller: there is no {arguments.serve}; bazel build //:waves_serve, or name it by --serve")
    command = [arguments.serve, "--instance", arguments.instance, "--seconds", str(arguments.seconds)]
    command += ["--run-dir", arguments.run_dir] if arguments.run_dir else ["--policy", arguments.policy]
    serve = Serve(command)
    try:
        play(Controller(), serve)
    finally:
        serve.end()


if __name__ == "__main__":
    main()
