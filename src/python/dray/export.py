"""Exports a trained policy for programs without Dray.

    dray export --run-dir runs/defender --onnx policy.onnx
    dray export --pretrained cage2_mixture --torchscript policy.pt
    dray export --run-dir runs/defender --policy policy.ckpt

ONNX and TorchScript models take `observation` [rows, numbers], float32, and, if the task forbids actions, `mask` [rows, actions], true for allowed
ones. They return `action` [rows], the most likely one, as `evaluate` plays it, and `logits` [rows, actions]; for continuous actions, only
`action` [rows, values]. A policy with memory also takes `memory` [rows, numbers], 0 where an episode begins, and returns `next_memory` last.
The models normalise observations themselves: pass those of the environment. --policy writes a small checkpoint that cannot be resumed,
for evaluate --checkpoint, dray act and dray.load_policy.
"""

import argparse
import os
import pathlib
from collections.abc import Callable, Sequence
from typing import Any

from dray.error import Error, fail
from dray.network import Network
from dray.places import PathLike
from dray.policy import Policy, add_policy_arguments, chosen_policy, load_policy, pack_policy


def answers(
    policy: Policy,
    network: Network,
    observation: Any,
    mask: Any,
    memory: Any,
    number: Callable[[str], Any],
    cat: Callable[[list[Any]], Any],
) -> dict[str, Any]:
    """Returns the outputs of an exported policy by name."""
    outputs, after = network.outputs(observation, number, cat, memory)
    given = {"action": outputs}
    if policy.discrete:
        logits = outputs if mask is None else outputs.masked_fill(mask.logical_not(), float("-inf"))
        given = {"action": logits.argmax(1), "logits": logits}
    return given if after is None else {**given, "next_memory": after}


def export_torchscript(policy: Policy, path: PathLike) -> None:
    """Writes a TorchScript module. Needs torch."""
    import torch

    network = policy.network()

    class Module(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            for name, value in network.numbers.items():
                self.register_buffer(name.replace(".", "_"), torch.tensor(value))

        def forward(self, observation: Any, *more: Any) -> Any:
            def number(name: str) -> Any:
                return getattr(self, name.replace(".", "_"))

            mask, memory = more[0] if policy.masked else None, more[-1] if network.memory else None
            named = answers(policy, network, observation, mask, memory, number, lambda values: torch.cat(values, -1))
            given = tuple(named.values())
            return given if len(given) > 1 else given[0]

    example = [torch.zeros(2, policy.observation_size)] + [
        torch.ones(2, policy.outputs_size, dtype=torch.bool)
    ] * policy.masked
    example += [torch.zeros(2, network.memory)] * bool(network.memory)
    torch.jit.trace(Module().eval(), example).save(os.fspath(path))


def export_onnx(policy: Policy, path: PathLike) -> None:
    """Writes an ONNX model. Needs onnx."""
    try:
        import onnx
    except ImportError:
        raise Error("--onnx needs the package onnx: pip install 'dray[onnx]'") from None
    from dray.onnx_graph import Graph

    network, graph = policy.network(), Graph()
    numbers = {name: graph.constant(name, value) for name, value in network.numbers.items()}
    mask = graph.input("mask") if policy.masked else None
    memory = graph.input("memory") if network.memory else None
    given = answers(policy, network, graph.input("observation"), mask, memory, numbers.__getitem__, graph.cat)
    for name, value in given.items():
        graph.name(value, name)
    inputs = [("observation", onnx.TensorProto.FLOAT, policy.observation_size)]
    if policy.masked:
        inputs.append(("mask", onnx.TensorProto.BOOL, policy.outputs_size))
    outputs = [("action", onnx.TensorProto.INT64), ("logits", onnx.TensorProto.FLOAT, policy.outputs_size)]
    if not policy.discrete:
        outputs = [("action", onnx.TensorProto.FLOAT, policy.outputs_size)]
    if network.memory:
        inputs.append(("memory", onnx.TensorProto.FLOAT, network.memory))
        outputs.append(("next_memory", onnx.TensorProto.FLOAT, network.memory))
    model = graph.model(f"dray_{policy.env}", inputs, outputs)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, os.fspath(path))


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="dray export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_policy_arguments(parser)
    parser.add_argument("--onnx", metavar="FILE", help="write an ONNX model; needs the package onnx")
    parser.add_argument(
        "--torchscript", metavar="FILE", help="write a TorchScript module, for torch.jit.load and LibTorch; needs torch"
    )
    parser.add_argument("--policy", metavar="FILE", help="write a checkpoint of the policy alone")
    arguments = parser.parse_args(words)
    if not (arguments.onnx or arguments.torchscript or arguments.policy):
        parser.error("which format? Give --onnx FILE, --torchscript FILE or --policy FILE")
    try:
        path = chosen_policy(arguments)
        if arguments.policy:
            pathlib.Path(arguments.policy).write_bytes(pack_policy(path))
        if arguments.onnx or arguments.torchscript:
            policy = load_policy(path)
            if arguments.onnx:
                export_onnx(policy, arguments.onnx)
            if arguments.torchscript:
                export_torchscript(policy, arguments.torchscript)
    except (Error, OSError) as error:
        fail(error)
    for file in filter(None, (arguments.onnx, arguments.torchscript, arguments.policy)):
        print(f"wrote {file} ({os.path.getsize(file) / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
