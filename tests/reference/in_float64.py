"""`transformers` in float64, also where it computes in float32 whatever the type of the model is: rotations, RMS norms,
softmaxes and tables of sinusoids."""

import copy
from contextlib import contextmanager

import torch


@contextmanager
def float64_for_float32():
    """What asks for float32 by name gets float64."""
    patched = {(torch, "float32"): torch.float64, (torch, "float"): torch.float64, (torch.Tensor, "float"): torch.Tensor.double}
    usual = {place: getattr(*place) for place in patched}
    default = torch.get_default_dtype()
    for (owner, name), value in patched.items():
        setattr(owner, name, value)
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(default)
        for (owner, name), value in usual.items():
            setattr(owner, name, value)


def widened(model):
    """A copy whose parameters are the same and whose tables of frequencies are computed anew."""
    double = copy.deepcopy(model).double()
    for module in double.modules():
        if hasattr(module, "rope_init_fn"):
            module.inv_freq, module.attention_scaling = module.rope_init_fn(module.config, None)
            module.original_inv_freq = module.inv_freq
        elif hasattr(module, "compute_default_rope_parameters"):  # from version 5 on
            module._buffers.update(type(module)(module.config)._buffers)
        elif hasattr(module, "get_embedding"):  # sinusoids
            module.weights = module.get_embedding(*module.weights.shape, module.padding_idx)
    return double


def both(trace, model, *arguments):
    """What `trace` records of the model in float64, and in float32."""
    single = trace(model, *arguments)
    with float64_for_float32():
        arrays = trace(widened(model), *arguments)
    sums = [array.sum(-1) for name, array in arrays.items() if name.endswith("/weights")]
    assert all(((total - 1).abs() < 1e-14 * 64).all() for total in sums), "a softmax was computed in float32"
    return arrays, single
