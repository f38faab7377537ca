#pragma once

#include "model/trace/run.h"

#include <cstdint>
#include <vector>

namespace headscope::analysis {

// Requests of what stands beside a run that is shown.

/// What was decoded along the shown path, the start token first and padding left out.
std::vector<std::int64_t> decodedIds(const trace::Run& run);
/// The request of a complete run, whose last path is the one that is shown, whichever it was asked for.
trace::Request shownRequest(const trace::Run& run);

/// `request` without its changes, its shown path alone, with whole distributions.
trace::Request undisturbedRequest(trace::Request request);
/// The changed model of `changed` reading what was decoded in `undisturbed`; nothing is decoded after it.
trace::Request forcedRequest(trace::Request changed, const trace::Run& undisturbed);

/// The shown run's request for the twin with random weights of `seed`: it reads the shown output, which is
/// the path that is shown, and before that says something of its own, twice as long at most, because a random
/// network hardly comes to an end. An encoder alone reads the same source.
trace::Request twinRequest(trace::Request shown, const trace::Run& run, std::uint64_t seed);

/// The shown run's request, reading the shown output without decoding it again: for what a run records only
/// when it is asked to.
trace::Request readingRequest(trace::Request shown, const trace::Run& run);

/// readingRequest() of what was fed alone: the last token that was chosen may stand where the model has no
/// position any more.
trace::Request fedRequest(const trace::Request& shown, const trace::Run& run);

/// readingRequest() of the twin, for what is computed of both models.
trace::Request twinReadingRequest(trace::Request shown, const trace::Run& run, std::uint64_t seed);

} // namespace headscope::analysis
