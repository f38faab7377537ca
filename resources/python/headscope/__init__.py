"""Records what a transformer computed, and shows it in Headscope.

    headscope.record(model, tokenizer, "A sentence.").show()     a model of transformers
    headscope.write("run.safetensors", decoder=weights, target=tokens)  arrays of any program
    headscope.head_view(attention, tokens)                        with BertViz' arguments

A recording is a file. Write it on the machine with the model, and open it on another with `headscope FILE`.
The format is described in traces.md of Headscope's manual.
"""

from .bertviz import head_view, model_view
from .nnsight_results import from_nnsight
from .recording import Recording, recording, show, write
from .transformer_lens import from_transformer_lens
from .transformers_models import record

__version__ = "0.1.0"
__all__ = [
    "Recording", "from_nnsight", "from_transformer_lens", "head_view", "model_view", "record", "recording", "show", "write"]
