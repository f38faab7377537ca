#include "app/results/long_maps.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using JobKind = WorkQueue::JobKind;

constexpr std::size_t mostBytes = 256'000'000; ///< of maps that nobody looks at any more

} // namespace

LongMaps::LongMaps(WorkQueue* queue, DecodeController* controller, widgets::Selection* selection,
                   QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), selection_(selection) {
    connect(controller, &DecodeController::runChanged, this, &LongMaps::follow);
    connect(selection, &widgets::Selection::headChanged, this, &LongMaps::follow);
}

void LongMaps::setOptions(const widgets::MapOptions& options) {
    options_ = options;
    follow();
}

void LongMaps::setAlsoShown(const std::vector<trace::HeadAddress>& heads) {
    if (std::exchange(alsoShown_, heads) != heads)
        follow();
}

LongMaps::Map LongMaps::of(const trace::HeadAddress& head) const {
    const auto found = std::ranges::find_if(
        known_, [&](const Map& map) { return map->isOf(controller_->run(), head, options_); });
    return found == known_.end() ? nullptr : *found;
}

std::vector<trace::HeadAddress> LongMaps::wanted() const {
    std::vector<trace::HeadAddress> heads;
    const auto& run = controller_->run();
    if (!run || !run->complete)
        return heads;
    heads.push_back(selection_->head());
    heads.insert(heads.end(), alsoShown_.begin(), alsoShown_.end());
    std::erase_if(heads, [&](const auto& head) { return !widgets::isRecomputed(*run, head, options_); });
    return heads;
}

void LongMaps::follow() {
    std::erase_if(known_, [&](const Map& map) { return map->run != controller_->run(); });
    if (asked_) { // of another run, head or options
        asked_.reset();
        queue_->stop(JobKind::LongMaps);
    }
    whyNot_.clear();
    forgetOldest();
    Q_EMIT changed();
    askNext();
}

/// One after the other: what is looked at first, and of each the preview before the whole.
void LongMaps::askNext() {
    const auto heads = wanted();
    const auto missing = [&](bool evenPreviewed) {
        return std::ranges::find_if(heads, [&](const auto& head) {
            const Map known = of(head);
            return !known || (evenPreviewed && known->tokensACell > 1);
        });
    };
    auto next = missing(false);
    if (next == heads.end())
        next = missing(true);
    if (next == heads.end() || asked_)
        return;
    asked_ = *next;
    const bool preview = !of(*next) && widgets::hasPreview(options_);
    queue_->compute(JobKind::LongMaps, this,
                    [this, run = controller_->run(), head = *next, options = options_,
                     preview](const trace::Task& work) -> std::function<void()> {
                        const auto& stop = work.stop();
                        const auto map = std::make_shared<widgets::LongMap>();
                        if (preview)
                            *map = widgets::computePreview(run, head, options, stop);
                        else
                            *map = {.run = run,
                                    .head = head,
                                    .options = widgets::forNumbers(options),
                                    .map = widgets::computeLongMap(*run, head, options, stop)};
                        return [this, map] { take(map); };
                    },
                    {.refused = [this](const trace::RefusalText& text) {
                        asked_.reset();
                        whyNot_ = QString::fromStdString(trace::paragraph(text));
                        Q_EMIT changed();
                    }});
}

void LongMaps::take(Map map) {
    asked_.reset();
    std::erase_if(known_, [&](const Map& known) { return known->isOf(map->run, map->head, map->options); });
    known_.push_back(std::move(map));
    forgetOldest();
    Q_EMIT changed();
    askNext();
}

void LongMaps::forgetOldest() {
    const auto heads = wanted();
    const auto isLookedAt = [&](const Map& map) {
        return map->options == widgets::forNumbers(options_) && std::ranges::count(heads, map->head) > 0;
    };
    std::size_t bytes = 0;
    for (const auto& map : known_)
        bytes += isLookedAt(map) ? 0 : map->map->bytes();
    std::erase_if(known_, [&](const Map& map) {
        if (bytes <= mostBytes || isLookedAt(map))
            return false;
        bytes -= map->map->bytes();
        return true;
    });
}

} // namespace headscope::app
