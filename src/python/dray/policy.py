"""A trained policy in numpy: the most likely action of a run's actor, as `evaluate` plays it. For perceptrons and discrete actions."""

import pathlib

import numpy

from dray.error import Error
from dray.weights import read_weights


def read_config(run_dir):
    """config.yaml of a run folder. Needs PyYAML."""
    import yaml

    path = pathlib.Path(run_dir) / "config.yaml"
    if not path.is_file():
        raise SystemExit(f"error: {path}: no such file; give the folder of a run that train wrote (--run-dir)")
    return yaml.safe_load(path.read_text())


class Policy:
    def __init__(self, config, weights):
        """`config` is a run's config.yaml, `weights` what read_weights gives of its weights.pt."""
        network = config.get("network") or {}
        if network.get("kind", "mlp") != "mlp":
            raise SystemExit(f"error: network.kind is {network['kind']}: only perceptrons (mlp) are read here; use evaluate instead")
        activations = {"tanh": numpy.tanh, "relu": lambda x: numpy.maximum(x, 0)}
        if network.get("activation", "tanh") not in activations:
            raise SystemExit(f"error: network.activation is {network['activation']}: only tanh and relu are read here; use evaluate instead")
        self._activation = activations[network.get("activation", "tanh")]
        count = sum(name.startswith("actor.") and name.endswith(".weight") for name in weights)
        self._layers = [(weights.get(f"actor.{i}.weight"), weights.get(f"actor.{i}.bias")) for i in range(count)]
        self._mean, self._scale = weights.get("observation.mean"), weights.get("observation.scale")
        self._clip = weights.get("observation.clip")
        if not self._fit():
            raise SystemExit("error: these weights are no perceptron's: layers are missing or do not fit each other; use those that train wrote")

    def _fit(self):
        width = None
        for weight, bias in self._layers:
            if weight is None or bias is None or weight.ndim != 2 or bias.shape != weight.shape[:1] or width not in (None, weight.shape[1]):
                return False
            width = weight.shape[0]
        if self._mean is None:
            return bool(self._layers)
        return bool(self._layers) and self._scale is not None and self._clip is not None and self._mean.shape == self._scale.shape == (self.inputs,)

    @classmethod
    def of_run(cls, run_dir):
        path = pathlib.Path(run_dir) / "weights.pt"
        if not path.is_file():
            raise SystemExit(f"error: {path}: no such file; train writes it at the end of a run: let the run end, or resume it")
        try:
            return cls(read_config(run_dir), read_weights(path))
        except Error as error:
            raise SystemExit(f"error: {error}") from None

    @property
    def inputs(self):
        return self._layers[0][0].shape[1]

    def logits(self, observation):
        values = numpy.asarray(observation, numpy.float32)
        if self._mean is not None:
            values = numpy.clip((values - self._mean) * self._scale, -self._clip, self._clip)
        for weight, bias in self._layers[:-1]:
            values = self._activation(weight @ values + bias)
        weight, bias = self._layers[-1]
        return weight @ values + bias

    def best_action(self, observation, mask=None):
        """`mask`: which actions are allowed [all]."""
        logits = self.logits(observation)
        return int(numpy.argmax(logits if mask is None else numpy.where(mask, logits, -numpy.inf)))
