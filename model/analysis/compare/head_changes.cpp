#include "model/analysis/compare/head_changes.h"

#include <utility>

namespace headscope::analysis {

using trace::AttentionKind;

bool haveSameHeads(const trace::Run& first, const trace::Run& second) {
    const auto shape = [](const trace::Run& run) {
        std::vector<std::pair<trace::AttentionSite, std::size_t>> sites;
        for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
            for (const auto& record : *records)
                sites.emplace_back(record.site, record.heads());
        return sites;
    };
    return shape(first) == shape(second);
}

HeadChangeSteps::HeadChangeSteps(std::shared_ptr<const trace::Run> first,
                                 std::shared_ptr<const trace::Run> second,
                                 std::shared_ptr<const RunAlignment> alignment)
    : first_(std::move(first)), second_(std::move(second)), alignment_(std::move(alignment)),
      sameHeads_(haveSameHeads(*first_, *second_)) {
    for (const auto* records : {&first_->encoder, &first_->decoder, &first_->cross})
        for (const auto& record : *records)
            for (std::size_t head = 0; head < record.heads(); ++head)
                heads_.push_back({record.site, head});
}

/// Returns true once the head is done.
bool HeadChangeSteps::compareNext(const trace::Task& work) {
    const auto& head = heads_[done_];
    std::optional<HeadChange> change;
    if (sameHeads_) {
        const AlignedAxis& queries = alignment_->queriesOf(head.site.kind);
        const AlignedAxis& keys = alignment_->keysOf(head.site.kind);
        change = compareHeads(unitMap(*first_, head, queries.first, keys.first, work.part(0, 3)),
                              unitMap(*second_, head, queries.second, keys.second, work.part(1, 3)), queries,
                              keys, work.part(2, 3));
    } else {
        if (!search_)
            search_.emplace(*first_, head, *second_, *alignment_, work.stop());
        if (!search_->goOn(work))
            return false;
        change = search_->nearest();
        search_.reset();
    }
    if (change && change->rows > 0)
        changes_.push_back(*change);
    return true;
}

bool HeadChangeSteps::goOn(std::chrono::milliseconds time, const trace::Task& work) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (done_ < heads_.size()) {
        const auto ofHead = work.part(done_, heads_.size());
        ofHead.report(0);
        if (compareNext(ofHead))
            ++done_;
        if (std::chrono::steady_clock::now() >= end)
            break;
    }
    return done_ == heads_.size();
}

} // namespace headscope::analysis
