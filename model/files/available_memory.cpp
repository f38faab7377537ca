#include "model/files/available_memory.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headscope::files {

namespace {

std::optional<double> freeOnComputer() {
    std::ifstream memory("/proc/meminfo");
    for (std::string word; memory >> word;)
        if (double kibibytes = 0; word == "MemAvailable:" && memory >> kibibytes)
            return kibibytes * 1024;
    return std::nullopt;
}

} // namespace

std::optional<double> addressSpaceLeft() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::nullopt;
    double pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return std::max(0.0, static_cast<double>(limit.rlim_cur) -
                             pages * static_cast<double>(::sysconf(_SC_PAGESIZE)));
}

std::optional<double> availableMemory() {
    const auto computer = freeOnComputer();
    const auto limit = addressSpaceLeft();
    return computer && limit ? std::min(*computer, *limit) : computer ? computer : limit;
}

void giveBackFreedMemory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

std::string bytesInWords(double bytes) {
    const bool large = bytes >= 1e9;
    const auto text = std::to_string(std::round(bytes / (large ? 1e8 : 1e5)) / 10);
    return text.substr(0, text.find('.') + 2) + (large ? " GB" : " MB");
}

trace::Refusal memoryRefusal(const std::string& what, std::optional<double> needed,
                             const std::string& smaller) {
    const auto available = availableMemory();
    const bool isLimited = addressSpaceLeft().has_value();
    return trace::Refusal(
        {.what = what,
         .where = isLimited ? "this process, whose memory is limited (ulimit -v)" : "this computer's memory",
         .expected = needed ? bytesInWords(*needed) + " free" : "more free memory",
         .found = available ? bytesInWords(*available) + " free" : std::string(),
         .wayOut = std::string(isLimited ? "raise the limit, close other models"
                                         : "close other programs or models") +
                   ", or " + smaller});
}

} // namespace headscope::files
