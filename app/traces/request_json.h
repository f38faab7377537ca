#pragma once

#include "app/traces/json_fields.h"
#include "model/trace/request.h"

namespace headscope::app {

// Requests as traces and sessions have them: without source ids or vectors, which the file may hold as
// arrays, what is recorded, and decoding rules from the model's own folder, which the model states. The
// source that is read is a sentence, or empty ids.
void fields(FieldWriter& visitor, const trace::Request& request);
void fields(FieldReader& visitor, trace::Request& request);

/// DecodePath::newTokens of a path that was read and says no length.
inline constexpr int lengthNotSaid = -1;
/// Gives the paths without a length this one.
void setLength(trace::Request& request, int newTokens);

} // namespace headscope::app
