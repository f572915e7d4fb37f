"""Registers Dray's environments with Gymnasium, without loading what makes them."""

from dray.gym_ids import ids


def register_all() -> None:
    """Registers every environment that is not registered yet."""
    from gymnasium.envs.registration import register, registry

    for name, identifier in ids().items():
        if identifier not in registry:
            register(
                identifier,
                entry_point="dray.gym_env:SingleEnv",
                vector_entry_point="dray.gym_env:_vector_env",
                kwargs={"name": name},
                disable_env_checker=True,
                order_enforce=False,
            )
