#include "app/cli/pace.h"

#include <iostream>
#include <memory>
#include <utility>

namespace headscope::app {

trace::Task reading(std::stop_token stop, const trace::Source& source, const std::string& name) {
    constexpr std::size_t isLong = 2000; // bytes: shorter ones are read before a person wonders
    const auto* text = std::get_if<std::string>(&source);
    if (!text || text->size() < isLong)
        return stop;
    return {std::move(stop), [name, pace = std::make_shared<Pace>()](double share) {
                if (pace->isDue())
                    std::cerr << name << ": reading, " << static_cast<int>(100 * share) << " %\n";
            }};
}

} // namespace headscope::app
