#pragma once

#include "model/trace/refusal.h"

#include <optional>
#include <string>

namespace headscope::files {

/// Bytes that this process can still allocate: the smaller of the memory available without swapping
/// (MemAvailable in /proc/meminfo) and addressSpaceLeft(). Empty if neither is known.
std::optional<double> availableMemory();

/// Bytes of address space left to this process; empty if it has no limit (`ulimit -v`).
std::optional<double> addressSpaceLeft();

/// Gives the memory that was freed back to the system. Worth it after many small pieces, as of a vocabulary.
void giveBackFreedMemory();

/// "1.6 GB"
std::string bytesInWords(double bytes);

/// Returns an out-of-memory error: `what` failed, the bytes `needed` (if known), the bytes free, and what to
/// do. `smaller` is a request that would need less memory.
trace::Refusal memoryRefusal(const std::string& what, std::optional<double> needed = {},
                             const std::string& smaller = "choose a shorter sentence or a smaller model");

} // namespace headscope::files
