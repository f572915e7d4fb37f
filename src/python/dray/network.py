"""The network of a trained policy, written once for torch's tensors and for the values of onnx_graph.py."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy
from numpy.typing import NDArray


class Network:
    """A policy's network.

    `description` is the engine's (dray_policy_describe), `numbers` its parameters in one array; the attribute `numbers`
    has them by name. Weights are [inputs, outputs].
    """

    def __init__(self, description: Mapping[str, Any], observation_size: int, numbers: NDArray[numpy.float32]) -> None:
        self.scaled, self.clip, self.activation = (description[name] for name in ("scaled", "clip", "activation"))
        self.attention, self.observation_size = description["attention"], observation_size
        self.memory = description["memory"]
        row = observation_size + (
            self.memory + 1 if self.memory else 0
        )  # [observation, memory, 1 if an episode begins]
        shapes: dict[str, tuple[int, ...]] = {"mean": (row,), "scale": (row,)} if self.scaled else {}
        for name, inputs, outputs, biased in description["layers"]:
            shapes[f"{name}.weight"] = (inputs, outputs)
            if biased:
                shapes[f"{name}.bias"] = (outputs,)
        if self.attention and self.attention["priced"]:
            shapes["price"] = (1,)
        ends = numpy.cumsum([0] + [math.prod(shape) for shape in shapes.values()])
        assert ends[-1] == len(numbers), (ends[-1], len(numbers))
        self.numbers = {
            name: numbers[start:end].reshape(shape) for (name, shape), start, end in zip(shapes.items(), ends, ends[1:])
        }
        for name in ("mean", "scale") if self.scaled else ():
            self.numbers[name] = self.numbers[name][:observation_size]
        self.hidden = [name for name, *_ in description["layers"] if name.startswith("hidden.")]
        if self.attention:
            self.numbers["places"] = numpy.arange(1, self.attention["tokens"] + 1, dtype=numpy.float32)[:, None]

    def outputs(
        self, observation: Any, number: Callable[[str], Any], cat: Callable[[list[Any]], Any], before: Any = None
    ) -> tuple[Any, Any]:
        """Computes logits or means [rows, outputs], and what a policy with memory remembers then [rows, memory].

        `number` returns one of `numbers` by name; `cat` joins a list of values along the last dimension. `before` is what it
        remembered before.
        """

        def linear(name: str, x: Any) -> Any:
            x = x @ number(f"{name}.weight")
            return x + number(f"{name}.bias") if f"{name}.bias" in self.numbers else x

        if self.scaled:
            observation = ((observation - number("mean")) * number("scale")).clamp(-self.clip, self.clip)
        x = self._summary(observation, number, cat, linear) if self.attention else observation
        after = self._remember(observation, before, linear) if self.memory else None
        if self.memory:
            x = cat([observation, after])
        for name in self.hidden[:-1]:
            x = linear(name, x)
            x = x.relu() if self.activation == "relu" else x.tanh()
        x = linear(self.hidden[-1], x)
        if "price" in self.numbers:  # the observation ends with a number for each action
            actions = self.numbers[f"{self.hidden[-1]}.bias"].size
            x = x + number("price") * observation.narrow(1, self.observation_size - actions, actions)
        return x, after

    def _remember(self, observation: Any, before: Any, linear: Callable[[str, Any], Any]) -> Any:
        """Computes what a gated recurrent unit remembers next; src/nets/gru_shape.h explains it."""

        def gates(name: str, x: Any) -> list[Any]:
            values = linear(name, x)
            return [values.narrow(1, part * self.memory, self.memory) for part in range(3)]

        def sigmoid(x: Any) -> Any:
            return (x * 0.5).tanh() * 0.5 + 0.5

        look, recall = gates("look", observation), gates("recall", before)
        candidate = (look[2] + sigmoid(look[0] + recall[0]) * recall[2]).tanh()
        return candidate + sigmoid(look[1] + recall[1]) * (before - candidate)

    def _summary(
        self,
        observation: Any,
        number: Callable[[str], Any],
        cat: Callable[[list[Any]], Any],
        linear: Callable[[str, Any], Any],
    ) -> Any:
        """Summarises tokens and context for the hidden layers; src/nets/attention_shape.h explains it."""
        count, size, heads = (self.attention[name] for name in ("tokens", "token_size", "heads"))
        width = self.numbers["embed.bias"].size
        tokens = observation.narrow(1, 0, count * size).reshape(-1, count, size)
        context = observation.narrow(1, count * size, self.observation_size - count * size)
        absent = tokens.narrow(2, 0, 1).eq(0.0)  # [rows, tokens, 1]
        present = absent.logical_not().float()

        def attend(queries: Any, keys: Any, values: Any, queried: int) -> Any:
            """Attends from the queries [rows, queried, width] to the tokens that are present."""

            def split(x: Any, rows: int, *order: int) -> Any:
                return x.reshape(-1, rows, heads, width // heads).permute(*order)

            queries, keys, values = (
                split(queries, queried, 0, 2, 1, 3),
                split(keys, count, 0, 2, 3, 1),
                split(values, count, 0, 2, 1, 3),
            )
            scores = (queries @ keys) * (1 / math.sqrt(width // heads))
            weights = scores.masked_fill(absent.reshape(-1, 1, 1, count), -1e9).softmax(3) * present.reshape(
                -1, 1, 1, count
            )
            return (weights @ values).permute(0, 2, 1, 3).reshape(-1, queried, width)

        x = linear("embed", tokens).relu()
        for i in range(self.attention["rounds"]):
            looks = linear(f"rounds.{i}.look", x)
            queries, keys, values = (looks.narrow(2, part * width, width) for part in range(3))
            x = x + linear(f"rounds.{i}.blend", attend(queries, keys, values, count))
            x = x + linear(f"rounds.{i}.down", linear(f"rounds.{i}.up", x).relu())
        places = present * number("places")  # from 1; 0 where there is no token
        last = (x * places.eq(places.amax(1, True)).float() * present).sum(1)
        query = linear("ask", cat([context, last]))
        answer = attend(query, linear("key", x), linear("answer", x), 1).reshape(-1, width)
        return cat([answer, last, context])
