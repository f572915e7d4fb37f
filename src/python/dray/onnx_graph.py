"""Builds an ONNX graph from a computation on values that have the methods of torch's tensors. Needs onnx."""

from collections.abc import Sequence
from typing import Any

import numpy
from onnx import TensorProto, helper, numpy_helper

_OPSET, _IR = 17, 8  # read by every onnxruntime since 1.13


class Graph:
    """An ONNX graph under construction."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def input(self, name: str) -> "Value":
        return Value(self, name)

    def constant(self, name: str, value: Any) -> "Value":
        self.constants[name] = numpy_helper.from_array(numpy.ascontiguousarray(value), name)
        return Value(self, name)

    def node(self, kind: str, *inputs: Any, **attributes: Any) -> "Value":
        names = [
            (value if isinstance(value, Value) else self.constant(f"constant{len(self.constants)}", value)).name
            for value in inputs
        ]
        self.nodes.append(helper.make_node(kind, names, [f"value{len(self.nodes)}"], **attributes))
        return Value(self, self.nodes[-1].output[0])

    def name(self, value: "Value", name: str) -> None:
        """Makes a value an output with this name."""
        self.nodes.append(helper.make_node("Identity", [value.name], [name]))

    def cat(self, values: Sequence["Value"]) -> "Value":
        return self.node("Concat", *values, axis=-1)

    def model(self, name: str, inputs: Sequence[tuple[Any, ...]], outputs: Sequence[tuple[Any, ...]]) -> Any:
        """Builds the model. `inputs` and `outputs` are tuples of name, type and the sizes of a row."""
        tensors = [
            [helper.make_tensor_value_info(name, kind, ["rows", *shape]) for name, kind, *shape in given]
            for given in (inputs, outputs)
        ]
        graph = helper.make_graph(self.nodes, name, *tensors, list(self.constants.values()))
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR, producer_name="dray"
        )


class Value:
    """A value of the graph. Its methods add nodes."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph, self.name = graph, name

    def _number(self, other: Any) -> Any:
        return other if isinstance(other, Value) else numpy.float32(other)

    def __add__(self, other: Any) -> "Value":
        return self.graph.node("Add", self, self._number(other))

    def __sub__(self, other: Any) -> "Value":
        return self.graph.node("Sub", self, self._number(other))

    def __mul__(self, other: Any) -> "Value":
        return self.graph.node("Mul", self, self._number(other))

    def __matmul__(self, other: "Value") -> "Value":
        return self.graph.node("MatMul", self, other)

    def eq(self, other: Any) -> "Value":
        return self.graph.node("Equal", self, self._number(other))

    def clamp(self, least: Any, most: Any) -> "Value":
        return self.graph.node("Clip", self, numpy.float32(least), numpy.float32(most))

    def relu(self) -> "Value":
        return self.graph.node("Relu", self)

    def tanh(self) -> "Value":
        return self.graph.node("Tanh", self)

    def softmax(self, axis: int) -> "Value":
        return self.graph.node("Softmax", self, axis=axis)

    def logical_not(self) -> "Value":
        return self.graph.node("Not", self)

    def float(self) -> "Value":
        return self.graph.node("Cast", self, to=TensorProto.FLOAT)

    def masked_fill(self, mask: "Value", value: Any) -> "Value":
        return self.graph.node("Where", mask, numpy.float32(value), self)

    def reshape(self, *shape: int) -> "Value":
        return self.graph.node("Reshape", self, numpy.array(shape, numpy.int64))

    def permute(self, *order: int) -> "Value":
        return self.graph.node("Transpose", self, perm=order)

    def narrow(self, axis: int, start: int, length: int) -> "Value":
        ends = (numpy.array([place], numpy.int64) for place in (start, start + length, axis))
        return self.graph.node("Slice", self, *ends)

    def sum(self, axis: int) -> "Value":
        return self.graph.node("ReduceSum", self, numpy.array([axis], numpy.int64), keepdims=0)

    def amax(self, axis: int, keepdim: bool) -> "Value":
        return self.graph.node("ReduceMax", self, axes=[axis], keepdims=int(keepdim))

    def argmax(self, axis: int) -> "Value":
        return self.graph.node("ArgMax", self, axis=axis, keepdims=0)
