#pragma once

#include <optional>
#include <string>

#include "model/files/torch/pickle_value.h"

namespace headscope::files {

// Interpretation of PyTorch's own names in a pickle.

/// Returns the result of calling `function` with `arguments` if it is one of the few functions that rebuild
/// tensors and dictionaries; empty if the call stays a placeholder. Adds values to `pickle`.
std::optional<PickleId> torchCall(Pickle& pickle, PickleId function, const PickleTuple& arguments);

/// Returns the storage named by a persistent id ("storage", type, key, location, elements); empty if the id
/// has another form.
std::optional<PickleStorage> torchStorage(const Pickle& pickle, PickleId persistentId);

/// Returns the class named by a persistent id ("module", class, file, source); empty if the id has another
/// form. Files from before PyTorch 1.6 contain the source of a saved module's classes.
std::optional<PickleId> torchModuleClass(const Pickle& pickle, PickleId persistentId);

} // namespace headscope::files
