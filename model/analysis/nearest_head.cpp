// The head of another run that is least far from one.
#include "model/analysis/aligned_maps.h"

#include <utility>

namespace headscope::analysis {

NearestHeadSteps::NearestHeadSteps(const trace::Run& first, const trace::HeadAddress& head,
                                   const trace::Run& second, const RunAlignment& alignment,
                                   std::stop_token stop)
    : second_(second), queries_(alignment.queriesOf(head.site.kind)), keys_(alignment.keysOf(head.site.kind)),
      own_(unitMap(first, head, queries_.first, keys_.first, std::move(stop))), next_{{head.site.kind, 0},
                                                                                      0} {}

bool NearestHeadSteps::goOn(std::stop_token stop) {
    const auto* record = second_.record(next_.site);
    while (record && next_.head >= static_cast<int>(record->heads())) {
        next_ = {{next_.site.kind, next_.site.layer + 1}, 0};
        record = second_.record(next_.site);
    }
    if (!record)
        return true;
    const auto other = unitMap(second_, next_, queries_.second, keys_.second, stop);
    const auto change = compareHeads(own_, other, queries_, keys_, stop);
    if (change.rows > 0 && (!nearest_ || change.divergence < nearest_->divergence))
        nearest_ = change;
    ++next_.head;
    return false;
}

std::optional<HeadChange> nearestHead(const trace::Run& first, const trace::HeadAddress& head,
                                      const trace::Run& second, const RunAlignment& alignment,
                                      std::stop_token stop) {
    NearestHeadSteps steps(first, head, second, alignment, stop);
    while (!steps.goOn(stop))
        ;
    return steps.nearest();
}

} // namespace headscope::analysis
