#pragma once

#include <QVariantMap>

#include "model/trace/decoding.h"

#include <utility>

namespace headscope::app {

/// What a person chose of how tokens are chosen, for the settings. What only a model's folder decides is left
/// out.
QVariantMap toMap(const trace::Decoding& decoding, int newTokens);

/// What the settings say, and where they say nothing or what cannot be, what the model does.
std::pair<trace::Decoding, int> fromMap(const QVariantMap& map, const trace::Decoding& model, int newTokens);

} // namespace headscope::app
