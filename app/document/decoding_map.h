#pragma once

#include <QVariantMap>

#include "model/trace/decoding.h"

#include <utility>

namespace headscope::app {

/// Stores the user's decoding options in a map for the settings. Options that only a model's folder decides
/// are omitted.
QVariantMap toMap(const trace::Decoding& decoding, int newTokens);

/// Reads the options from the settings. Missing or invalid values are taken from `model` and `newTokens`.
std::pair<trace::Decoding, int> fromMap(const QVariantMap& map, const trace::Decoding& model, int newTokens);

} // namespace headscope::app
