#pragma once

#include "model/trace/refusal.h"

#include <optional>
#include <string>

namespace headscope::files {

/// Bytes that this process can still have: what the computer has without swapping (MemAvailable of
/// /proc/meminfo), within the process's own limit (`ulimit -v`). Nothing where the system does not tell.
std::optional<double> availableMemory();

/// Bytes of address space that the process may still take; nothing where it has no limit (`ulimit -v`).
std::optional<double> addressSpaceLeft();

/// "1.6 GB"
std::string bytesInWords(double bytes);

/// Why memory lacks: `what` could not be done, what it needed if that is known, what is free, and what to do;
/// `smaller` is what a person can ask less of.
trace::Refusal memoryRefusal(const std::string& what, std::optional<double> needed = {},
                             const std::string& smaller = "choose a shorter sentence or a smaller model");

} // namespace headscope::files
