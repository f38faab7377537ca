#include "app/results/map_analyses.h"

#include "model/analysis/output/classifier_tokens.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using Slot = RunQueue::Slot;
using trace::AttentionKind;
using trace::MapQuantity;

constexpr std::size_t mostMapsKept = 32; ///< for who steps back and forth

} // namespace

MapAnalyses::MapAnalyses(RunQueue* queue, DecodeController* controller, Analyses* analyses,
                         widgets::Selection* selection, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), analyses_(analyses), selection_(selection) {
    connect(queue, &RunQueue::mapsComputed, this, [this](const Maps& maps) { take(maps, {}); });
    connect(queue, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot == Slot::Maps)
            take(nullptr,
                 QString::fromStdString(text.wayOut.empty() ? text.what : text.what + ": " + text.wayOut));
    });
    connect(controller, &DecodeController::runChanged, this, &MapAnalyses::follow);
    connect(analyses, &Analyses::ratherThanChanged, this, &MapAnalyses::follow);
    connect(selection, &widgets::Selection::headChanged, this, &MapAnalyses::follow);
    connect(selection, &widgets::Selection::stepChanged, this, &MapAnalyses::follow);
}

void MapAnalyses::setQuantity(std::optional<MapQuantity> quantity) {
    quantity_ = quantity;
    follow();
}

void MapAnalyses::setAlsoShown(const std::vector<trace::AttentionSite>& sites) {
    if (std::exchange(alsoShown_, sites) != sites)
        follow();
}

void MapAnalyses::setEffectWanted(bool wanted) {
    effectWanted_ = wanted;
    follow();
}

void MapAnalyses::setLastContributionsWanted(bool wanted) {
    contributionsWanted_ = wanted;
    follow();
}

void MapAnalyses::setChosenClass(std::optional<std::size_t> chosen) {
    if (std::exchange(chosenClass_, chosen) != chosen)
        follow();
}

std::optional<trace::Request> MapAnalyses::request() const {
    const auto& run = controller_->run();
    if (!run || !run->complete)
        return std::nullopt;
    auto request = controller_->shownRequest();
    request.ratherThan = analyses_->ratherThan();
    return request;
}

std::optional<MapAnalyses::Want> MapAnalyses::wantShown() const {
    return wantAt(selection_->head().site);
}

std::optional<MapAnalyses::Want> MapAnalyses::wantAt(const trace::AttentionSite& site) const {
    if (!quantity_)
        return std::nullopt;
    return Want{*quantity_, site, *quantity_ == MapQuantity::GradientAttention ? gradientOf() : 0};
}

std::size_t MapAnalyses::gradientOf() const {
    const auto& run = controller_->run();
    if (!run || run->classLogProbabilities.empty())
        return static_cast<std::size_t>(std::max(0, selection_->step()));
    return chosenClass_ ? *chosenClass_
                        : analysis::likeliestClass(
                              {run->classLogProbabilities.begin(), run->classLogProbabilities.end()});
}

std::optional<MapAnalyses::Want> MapAnalyses::wantEffectAt(const trace::AttentionSite& site) const {
    return effectWanted_ ? std::optional(Want{MapQuantity::NormWeighted, site}) : std::nullopt;
}

std::optional<MapAnalyses::Want> MapAnalyses::wantLastContributions() const {
    const auto& run = controller_->run();
    if (!contributionsWanted_ || !run || !run->model || run->model->decoderLayers == 0)
        return std::nullopt;
    return Want{MapQuantity::Contribution, {AttentionKind::Cross, run->model->decoderLayers - 1}};
}

std::vector<MapAnalyses::Want> MapAnalyses::wants() const {
    std::vector<std::optional<Want>> all{wantShown()};
    for (const auto& site : alsoShown_)
        all.push_back(wantAt(site));
    all.insert(all.end(), {wantLastContributions(), wantEffectAt(selection_->head().site)});
    for (const auto& site : alsoShown_)
        all.push_back(wantEffectAt(site));
    std::vector<Want> wanted;
    for (const auto& want : all)
        if (want)
            wanted.push_back(*want);
    return wanted;
}

const MapAnalyses::Answer* MapAnalyses::answer(const std::optional<Want>& want) const {
    const auto found =
        std::ranges::find_if(answers_, [&](const Answer& answer) { return answer.want == want; });
    return found == answers_.end() ? nullptr : &*found;
}

MapAnalyses::Maps MapAnalyses::mapsOf(const std::optional<Want>& want) const {
    const Answer* known = answer(want);
    return known ? known->maps : nullptr;
}

QString MapAnalyses::refusalOf(const std::optional<Want>& want) const {
    const Answer* known = answer(want);
    return known ? known->whyNot : QString();
}

MapAnalyses::Maps MapAnalyses::shown() const {
    return mapsOf(wantShown());
}

MapAnalyses::Maps MapAnalyses::shownAt(const trace::AttentionSite& site) const {
    return mapsOf(wantAt(site));
}

QString MapAnalyses::whyNotAt(const trace::AttentionSite& site) const {
    return refusalOf(wantAt(site));
}

MapAnalyses::Maps MapAnalyses::effect() const {
    return effectAt(selection_->head().site);
}

MapAnalyses::Maps MapAnalyses::effectAt(const trace::AttentionSite& site) const {
    return mapsOf(wantEffectAt(site));
}

MapAnalyses::Maps MapAnalyses::lastContributions() const {
    return mapsOf(wantLastContributions());
}

QString MapAnalyses::whyNot() const {
    return refusalOf(wantShown());
}

QString MapAnalyses::whyNoContributions() const {
    return refusalOf(wantLastContributions());
}

void MapAnalyses::follow() {
    if (auto current = request(); current != request_) {
        request_ = std::move(current);
        answers_.clear();
        asked_.reset();
        queue_->stop(Slot::Maps);
    }
    Q_EMIT changed();
    askNext();
}

/// One after the other: what is looked at first.
void MapAnalyses::askNext() {
    const auto all = wants();
    const auto missing = std::ranges::find_if(all, [&](const Want& want) { return !answer(want); });
    if (!request_ || missing == all.end()) {
        if (std::exchange(asked_, std::nullopt))
            queue_->stop(Slot::Maps);
        return;
    }
    if (asked_ == *missing)
        return;
    asked_ = *missing;
    queue_->computeMaps(*request_, missing->quantity, missing->site, missing->step);
}

void MapAnalyses::take(Maps maps, const QString& whyNot) {
    if (!asked_)
        return;
    answers_.push_back({*std::exchange(asked_, std::nullopt), std::move(maps), whyNot});
    if (answers_.size() > mostMapsKept)
        answers_.erase(answers_.begin());
    Q_EMIT changed();
    askNext();
}

} // namespace headscope::app
