#include "model/analysis/compare/aligned_maps.h"

namespace headscope::analysis {

NearestHeadSteps::NearestHeadSteps(const trace::Run& first, const trace::HeadAddress& head,
                                   const trace::Run& second, const RunAlignment& alignment,
                                   const trace::Task& work)
    : second_(second), queries_(alignment.queriesOf(head.site.kind)), keys_(alignment.keysOf(head.site.kind)),
      own_(unitMap(first, head, queries_.first, keys_.first, work)), next_{{head.site.kind, 0}, 0} {
    for (const auto* records : {&second.encoder, &second.decoder, &second.cross})
        for (const auto& record : *records)
            if (record.site.kind == head.site.kind)
                all_ += record.heads();
}

bool NearestHeadSteps::goOn(const trace::Task& work) {
    const auto* record = second_.record(next_.site);
    while (record && next_.head >= record->heads()) {
        next_ = {{next_.site.kind, next_.site.layer + 1}, 0};
        record = second_.record(next_.site);
    }
    if (!record)
        return true;
    const auto ofHead = work.part(done_++, all_);
    const auto other = unitMap(second_, next_, queries_.second, keys_.second, ofHead.part(0, 2));
    const auto change = compareHeads(own_, other, queries_, keys_, ofHead.part(1, 2));
    if (change.rows > 0 && (!nearest_ || change.divergence < nearest_->divergence))
        nearest_ = change;
    ++next_.head;
    return false;
}

std::optional<HeadChange> nearestHead(const trace::Run& first, const trace::HeadAddress& head,
                                      const trace::Run& second, const RunAlignment& alignment,
                                      const trace::Task& work) {
    NearestHeadSteps steps(first, head, second, alignment, work.stop());
    while (!steps.goOn(work))
        ;
    return steps.nearest();
}

} // namespace headscope::analysis
