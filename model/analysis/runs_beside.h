#pragma once

#include "model/trace/run.h"

#include <cstdint>
#include <vector>

namespace headscope::analysis {

// Requests for runs that are compared with the shown run.

/// Returns the ids of the shown path, including the start token, without padding.
std::vector<std::int64_t> decodedIds(const trace::Run& run);
/// Returns the request of a complete run, reordered so that the shown path is the last one.
trace::Request shownRequest(const trace::Run& run);

/// Returns `request`, whose last path is the shown one, with that path only, without interventions and with
/// full log-probabilities: the original run.
trace::Request originalRequest(trace::Request request);
/// Returns a request in which the changed model of `changed` reads the output of `original`; nothing is
/// decoded after it. An encoder alone reads the same source.
trace::Request forcedRequest(trace::Request changed, const trace::Run& original);

/// Returns the request for the random twin with weights from `seed`. The twin first decodes an output of its
/// own, at most twice as long as the shown one, because a random network rarely ends; the shown path, on
/// which it reads the shown output, comes last. An encoder-only twin reads the same source.
trace::Request twinRequest(trace::Request shown, const trace::Run& run, std::uint64_t seed);

/// Returns the request for reading the shown output without decoding it again, to record more data.
trace::Request readingRequest(trace::Request shown, const trace::Run& run);

/// readingRequest() without the last token if it was not fed: the model may have no position for it.
trace::Request fedRequest(const trace::Request& shown, const trace::Run& run);

/// readingRequest() for the twin, for comparisons of both models.
trace::Request twinReadingRequest(trace::Request shown, const trace::Run& run, std::uint64_t seed);

} // namespace headscope::analysis
