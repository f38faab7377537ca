#include "widgets/views/heatmap/map_questions.h"

#include "widgets/map/heatmap_view.h"
#include "widgets/map/ready_map.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::widgets {

namespace {

struct MapWords {
    Q_DECLARE_TR_FUNCTIONS(MapWords)
};

/// Source tokens of one question: what is more urgent waits no longer for it.
constexpr std::size_t tokensAtATime = 16;
constexpr std::size_t mostJoined = 16; ///< rows, of the maps beside each other and of some before

QString inOneLine(const trace::RefusalText& text) {
    return QString::fromStdString(text.wayOut.empty() ? text.what : text.what + ": " + text.wayOut);
}

} // namespace

std::optional<trace::Request> MapQuestions::request() const {
    const auto& document = *page_.context().document;
    return run_ && document.run == run_ ? document.request : std::nullopt;
}

std::optional<trace::Question> MapQuestions::maps(std::optional<trace::MapQuantity> quantity,
                                                  const trace::AttentionSite& site) const {
    const auto of = request();
    if (!of || !quantity)
        return std::nullopt;
    return trace::Question{
        .request = *of,
        .what = mapsWhat(*run_, *quantity, site, selection_.step(), page_.context().document->chosenClass)};
}

std::optional<trace::Question> MapQuestions::shown(const trace::HeadAddress& head) const {
    return maps(computedFor(options().quantity), head.site);
}

std::optional<trace::Question> MapQuestions::effect(const trace::HeadAddress& head) const {
    return maps(isAboutEffect(options().quantity) ? std::optional(trace::MapQuantity::NormWeighted)
                                                  : std::nullopt,
                head.site);
}

std::vector<LongMapWhat> MapQuestions::longMaps(const trace::HeadAddress& head) const {
    if (!run_ || !run_->complete || !isRecomputed(*run_, head, options()))
        return {};
    LongMapWhat preview{.run = run_, .head = head, .options = forNumbers(options()), .isPreview = true};
    LongMapWhat whole = preview;
    whole.isPreview = false;
    return hasPreview(options()) ? std::vector{preview, whole} : std::vector{whole};
}

/// Of a step of cross-attention that the run holds.
bool MapQuestions::hasLosses(const trace::HeadAddress& head) const {
    return (isAboutEffect(options().quantity) || options().losses) && request() &&
           head.site.kind == trace::AttentionKind::Cross && run_->record(head.site) &&
           selection_.step() < run_->next.size();
}

bool MapQuestions::areMeasured() const {
    return run_->source.size() <= longestUnasked || options().losses;
}

std::vector<trace::Question> MapQuestions::losses(const Head& head) const {
    auto of = *request();
    of.paths = {of.paths.back()};
    std::vector<trace::Question> questions;
    for (std::size_t first = 0; first < std::max<std::size_t>(1, run_->source.size()); first += tokensAtATime)
        questions.push_back({.request = of,
                             .what = trace::CausalRowWhat{.step = selection_.step(),
                                                          .head = head,
                                                          .keys = {first, first + tokensAtATime}}});
    return questions;
}

std::vector<trace::Wanted> MapQuestions::of(const std::vector<trace::HeadAddress>& heads) const {
    std::vector<trace::Wanted> wanted;
    const auto add = [&](trace::Wanted question) {
        if (std::ranges::count(wanted, question) == 0)
            wanted.push_back(std::move(question));
    };
    for (const auto& head : heads)
        if (const auto question = shown(head))
            add(*question);
    for (const bool isPreview : {true, false})
        for (const auto& head : heads)
            for (const auto& map : longMaps(head))
                if (map.isPreview == isPreview)
                    add(trace::Counted(map));
    for (const auto& head : heads)
        if (const auto question = effect(head))
            add(*question);
    for (const auto& head : heads)
        if (hasLosses(head) && areMeasured())
            for (const Head& masked : {Head(), Head(head)})
                for (const auto& question : losses(masked))
                    add(question);
    return wanted;
}

void MapQuestions::answer(HeatmapView& map) {
    const auto head = map.head();
    const auto valueOf = [this](const std::optional<trace::Question>& question) {
        return question ? known().of(question->request, std::get<trace::MapsWhat>(question->what)) : nullptr;
    };
    const auto quantity = shown(head);
    auto whyNot = quantity ? known().refusalOf(*quantity) : std::nullopt;
    QString why = whyNot ? inOneLine(*whyNot) : QString();
    std::shared_ptr<const LongMap> longMap;
    for (const auto& question : longMaps(head)) {
        if (auto answer = known().of(question))
            longMap = std::move(answer);
        else if (whyNot = known().refusalOf(trace::Counted(question)); whyNot)
            why = QString::fromStdString(trace::paragraph(*whyNot));
    }
    map.setWhyNoMaps(why);
    map.setMaps(valueOf(quantity));
    map.setLongMap(longMap);
    map.setEffect(valueOf(effect(head)));
    map.setCause(lossesOf(head));
}

std::optional<trace::RefusalText> MapQuestions::whyNoLosses(const trace::HeadAddress& head) const {
    if (hasLosses(head))
        for (const auto& question : losses(Head()))
            if (auto refusal = known().refusalOf(question))
                return refusal;
    return std::nullopt;
}

ShownCause MapQuestions::lossesOf(const trace::HeadAddress& head) {
    ShownCause cause;
    if (!hasLosses(head))
        return cause;
    const std::size_t tokens = run_->source.size();
    std::optional<trace::RefusalText> refused;
    std::size_t measured = 0; // of what is not complete
    for (const Head& masked : {Head(), Head(head)}) {
        std::vector<Row> parts;
        const auto questions = losses(masked);
        for (const auto& question : questions) {
            if (auto part = known().of(question.request, std::get<trace::CausalRowWhat>(question.what)))
                parts.push_back(std::move(part));
            else if (!refused)
                refused = known().refusalOf(question);
        }
        if (parts.size() == questions.size()) {
            (masked ? cause.here : cause.everywhere) = joined(parts);
            continue;
        }
        cause.isAwaited = true;
        if (parts.empty())
            continue;
        measured = std::min(parts.size() * tokensAtATime, tokens);
        cause.progress = (masked ? MapWords::tr("Measured in this head alone: %1 of %2 source tokens.")
                                 : MapWords::tr("Measured: %1 of %2 source tokens."))
                             .arg(measured)
                             .arg(tokens);
    }
    if (!cause.isAwaited)
        return cause;
    if (refused && measured > 0)
        cause.whyNot =
            MapWords::tr("stopped after %1 of %2 source tokens. To restart, select another step or head.")
                .arg(measured)
                .arg(tokens);
    else if (refused)
        cause.whyNot = inOneLine(*refused);
    else if (!areMeasured())
        cause.whyNot = MapWords::tr("knock-out losses of %1 source tokens (more than %2) are measured on "
                                    "request: turn on Knock-out Loss per Source Token.")
                           .arg(tokens)
                           .arg(longestUnasked);
    if (!cause.whyNot.isEmpty()) {
        cause.isAwaited = false;
        cause.progress.clear();
    }
    return cause;
}

/// The same parts are the same row, as maps compare what they are given by its address.
MapQuestions::Row MapQuestions::joined(const std::vector<Row>& parts) {
    if (parts.size() == 1)
        return parts.front();
    if (const auto found = std::ranges::find(joined_, parts, &decltype(joined_)::value_type::first);
        found != joined_.end())
        return found->second;
    auto row = std::make_shared<trace::CausalRow>(*parts.front());
    for (std::size_t key = tokensAtATime; key < row->drops.size(); ++key)
        row->drops[key] = parts[key / tokensAtATime]->drops[key];
    joined_.emplace_back(parts, row);
    if (joined_.size() > mostJoined)
        joined_.erase(joined_.begin());
    return row;
}

} // namespace headscope::widgets
