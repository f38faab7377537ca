#include "model/files/available_memory.h"

#include <cmath>
#include <fstream>

namespace headscope::files {

std::optional<double> availableMemory() {
    std::ifstream memory("/proc/meminfo");
    for (std::string word; memory >> word;)
        if (double kibibytes = 0; word == "MemAvailable:" && memory >> kibibytes)
            return kibibytes * 1024;
    return std::nullopt;
}

std::string bytesInWords(double bytes) {
    const bool large = bytes >= 1e9;
    const auto text = std::to_string(std::round(bytes / (large ? 1e8 : 1e5)) / 10);
    return text.substr(0, text.find('.') + 2) + (large ? " GB" : " MB");
}

} // namespace headscope::files
