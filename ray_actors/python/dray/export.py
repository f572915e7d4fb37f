"""A trained policy for programs that know nothing of Dray.

    dray export --run-dir runs/cage2-1 --onnx policy.onnx
    dray export --pretrained cage2_mixture --torchscript policy.pt
    dray export --run-dir runs/cage2-1 --policy policy.ckpt

ONNX and TorchScript take `observation` [rows, numbers], float32, and, of tasks that forbid actions, `mask` [rows, actions], true where one is
allowed. They give `action` [rows], the likeliest as `evaluate` plays it, and `logits` [rows, actions]; of tasks whose actions are numbers,
`action` [rows, values] alone. Observations are scaled inside, so that both take what the environment gives. --policy writes a checkpoint without what
a training needs to resume: for evaluate --checkpoint, dray act and dray.load_policy.
"""

import argparse
import os
import pathlib
import sys

import numpy

from dray.facade import Error
from dray.trained_policy import add_policy_arguments, chosen_policy, load_policy, pack_policy

_OPSET, _IR = 17, 8  # read by every onnxruntime since 1.13


def export_torchscript(policy, path):
    """Needs torch."""
    import torch

    class Network(torch.nn.Module):
        def __init__(self, network):
            super().__init__()
            activation = {"relu": torch.nn.ReLU, "tanh": torch.nn.Tanh}[network.activation]
            layers = []
            for weight, bias in network.layers:
                linear = torch.nn.utils.skip_init(torch.nn.Linear, *weight.shape)
                linear.weight, linear.bias = (torch.nn.Parameter(torch.tensor(value), requires_grad=False) for value in (weight.T, bias))
                layers += [linear, activation()]
            self.layers = torch.nn.Sequential(*layers[:-1])
            self.scaled = network.mean is not None
            self.register_buffer("mean", torch.tensor(network.mean if self.scaled else numpy.zeros(0, numpy.float32)))
            self.register_buffer("scale", torch.tensor(network.scale if self.scaled else numpy.zeros(0, numpy.float32)))
            self.clip = float(network.clip)

        @torch.jit.export
        def outputs(self, observation: torch.Tensor) -> torch.Tensor:
            if self.scaled:
                observation = ((observation - self.mean) * self.scale).clamp(-self.clip, self.clip)
            return self.layers(observation)

    class Values(Network):
        def forward(self, observation: torch.Tensor) -> torch.Tensor:
            return self.outputs(observation)

    class Choice(Network):
        def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            logits = self.outputs(observation)
            return logits.argmax(1), logits

    class MaskedChoice(Network):
        def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            logits = self.outputs(observation).masked_fill(~mask, float("-inf"))
            return logits.argmax(1), logits

    kind = Values if not policy.discrete else MaskedChoice if policy.masked else Choice
    torch.jit.script(kind(policy.network()).eval()).save(os.fspath(path))


def export_onnx(policy, path):
    """Needs onnx."""
    try:
        import onnx
    except ImportError:
        raise Error("--onnx needs the package onnx: pip install 'dray[onnx]'") from None
    from onnx import TensorProto, helper, numpy_helper

    network, nodes, constants = policy.network(), [], []

    def constant(name, value):
        constants.append(numpy_helper.from_array(numpy.ascontiguousarray(value), name))
        return name

    def node(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    values = "observation"
    if network.mean is not None:
        values = node("Sub", [values, constant("mean", network.mean)], "centred")
        values = node("Mul", [values, constant("scale", network.scale)], "scaled")
        ends = [constant(name, numpy.float32(end)) for name, end in (("least", -network.clip), ("most", network.clip))]
        values = node("Clip", [values, *ends], "clipped")
    for i, (weight, bias) in enumerate(network.layers):
        values = node("Gemm", [values, constant(f"weight{i}", weight), constant(f"bias{i}", bias)], f"layer{i}")
        if i + 1 < len(network.layers):
            values = node({"relu": "Relu", "tanh": "Tanh"}[network.activation], [values], f"active{i}")
    tensor = lambda name, kind, *shape: helper.make_tensor_value_info(name, kind, ["rows", *shape])
    given = [tensor("observation", TensorProto.FLOAT, policy.observation_size)]
    if not policy.discrete:
        node("Identity", [values], "action")
        answered = [tensor("action", TensorProto.FLOAT, policy.outputs_size)]
    else:
        if policy.masked:
            given.append(tensor("mask", TensorProto.BOOL, policy.outputs_size))
            node("Where", ["mask", values, constant("forbidden", numpy.float32(-numpy.inf))], "logits")
        else:
            node("Identity", [values], "logits")
        node("ArgMax", ["logits"], "action", axis=1, keepdims=0)
        answered = [tensor("action", TensorProto.INT64), tensor("logits", TensorProto.FLOAT, policy.outputs_size)]
    graph = helper.make_graph(nodes, f"dray_{policy.env}", given, answered, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR, producer_name="dray")
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, os.fspath(path))


def main(words=None):
    parser = argparse.ArgumentParser(prog="dray export", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_policy_arguments(parser)
    parser.add_argument("--onnx", metavar="FILE", help="write an ONNX model; needs the package onnx")
    parser.add_argument("--torchscript", metavar="FILE", help="write a TorchScript module, for torch.jit.load and LibTorch; needs torch")
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
        sys.exit(f"dray: {error}")
    for file in filter(None, (arguments.onnx, arguments.torchscript, arguments.policy)):
        print(f"written {file} ({os.path.getsize(file) / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
