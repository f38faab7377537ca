#include "app/results/map_analyses.h"

#include "model/analysis/output/classifier_tokens.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using trace::AttentionKind;
using trace::MapQuantity;

} // namespace

MapAnalyses::MapAnalyses(Results* answers, DecodeController* controller, widgets::Selection* selection,
                         QObject* parent)
    : QObject(parent), answers_(answers), controller_(controller), selection_(selection) {
    connect(answers, &Results::changed, this, &MapAnalyses::tell);
    connect(controller, &DecodeController::runChanged, this, &MapAnalyses::follow);
    connect(controller, &DecodeController::ratherThanChanged, this, &MapAnalyses::follow);
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

void MapAnalyses::setChosenClass(std::optional<std::size_t> chosen) {
    if (std::exchange(chosenClass_, chosen) != chosen)
        follow();
}

std::optional<trace::Request> MapAnalyses::request() const {
    const auto& run = controller_->run();
    if (!run || !run->complete)
        return std::nullopt;
    auto request = controller_->shownRequest();
    request.ratherThan = controller_->ratherThan();
    return request;
}

MapAnalyses::Want MapAnalyses::wantAt(const trace::AttentionSite& site) const {
    if (!quantity_)
        return std::nullopt;
    return trace::MapsWhat{.quantity = *quantity_,
                           .site = site,
                           .step = *quantity_ == MapQuantity::GradientAttention ? gradientOf() : 0};
}

std::size_t MapAnalyses::gradientOf() const {
    const auto& run = controller_->run();
    if (!run || run->classLogProbabilities.empty())
        return static_cast<std::size_t>(std::max(0, selection_->step()));
    return chosenClass_ ? *chosenClass_
                        : analysis::likeliestClass(
                              {run->classLogProbabilities.begin(), run->classLogProbabilities.end()});
}

MapAnalyses::Want MapAnalyses::wantEffectAt(const trace::AttentionSite& site) const {
    return effectWanted_ ? Want({.quantity = MapQuantity::NormWeighted, .site = site}) : std::nullopt;
}

MapAnalyses::Maps MapAnalyses::mapsOf(const Want& want) const {
    return want && request_ ? answers_->of(*request_, *want) : nullptr;
}

QString MapAnalyses::refusalOf(const Want& want) const {
    const auto text = want && request_
                          ? answers_->refusalOf(trace::Question{.request = *request_, .what = *want})
                          : std::nullopt;
    if (!text)
        return {};
    return QString::fromStdString(text->wayOut.empty() ? text->what : text->what + ": " + text->wayOut);
}

MapAnalyses::Maps MapAnalyses::shownAt(const trace::AttentionSite& site) const {
    return mapsOf(wantAt(site));
}

QString MapAnalyses::whyNotAt(const trace::AttentionSite& site) const {
    return refusalOf(wantAt(site));
}

MapAnalyses::Maps MapAnalyses::effectAt(const trace::AttentionSite& site) const {
    return mapsOf(wantEffectAt(site));
}

/// Requests one analysis at a time, those of visible maps first.
void MapAnalyses::follow() {
    const auto before = std::exchange(request_, request());
    const auto here = selection_->head().site;
    std::vector<Want> wants{wantAt(here)};
    for (const auto& site : alsoShown_)
        wants.push_back(wantAt(site));
    wants.push_back(wantEffectAt(here));
    for (const auto& site : alsoShown_)
        wants.push_back(wantEffectAt(site));
    questions_.clear();
    for (const auto& want : wants)
        if (want && request_)
            questions_.push_back({.request = *request_, .what = *want});
    if (request_ != before) // what was refused, perhaps for want of memory, may be had now
        for (const auto& question : questions_)
            answers_->forgetRefusal(question);
    told_.clear(); // it was of other questions
    Q_EMIT changed();
    answers_->want(this, Results::Questions(questions_.begin(), questions_.end()));
}

/// Answers that others wanted, such as a head that was measured, change nothing here.
void MapAnalyses::tell() {
    std::vector<std::pair<Maps, bool>> known;
    for (const auto& question : questions_)
        known.emplace_back(answers_->of(question.request, std::get<trace::MapsWhat>(question.what)),
                           answers_->refusalOf(question).has_value());
    if (std::exchange(told_, known) != known)
        Q_EMIT changed();
}

} // namespace headscope::app
