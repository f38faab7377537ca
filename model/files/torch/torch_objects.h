#pragma once

#include <optional>
#include <string>

#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// What PyTorch's own names in a pickle stand for, as plain values.

/// The result of calling the object named by `function` with `arguments`, if it is one of the few that
/// rebuild tensors and dictionaries; none if it is to stay a placeholder. Adds values to `pickle`.
std::optional<PickleId> torchCall(Pickle& pickle, PickleId function, const PickleTuple& arguments);

/// The storage that a persistent id ("storage", type, key, location, elements) names; none if it is no such
/// id.
std::optional<PickleStorage> torchStorage(const Pickle& pickle, PickleId persistentId);

/// The class that a persistent id ("module", class, file, source) names; none if it is no such id. Files
/// before PyTorch 1.6 carry the source of a saved module's classes.
std::optional<PickleId> torchModuleClass(const Pickle& pickle, PickleId persistentId);

} // namespace headscope::files
