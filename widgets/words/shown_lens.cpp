#include "widgets/words/shown_lens.h"

#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/importance_words.h"

#include <QCoreApplication>

namespace headscope::widgets {

namespace {

struct ShownLens {
    Q_DECLARE_TR_FUNCTIONS(ShownLens)
};

} // namespace

bool isLensOfTwin(const DocumentState& document) {
    return hasTwin(document) && chosenWord(document, "logit-lens", "of") == 1;
}

std::optional<trace::Question> lensQuestion(const DocumentState& document) {
    if (!document.request || (document.run->target.empty() && document.run->answers().empty()))
        return std::nullopt;
    const auto request = isLensOfTwin(document) ? twinReading(document) : document.request;
    return request ? std::optional(trace::Question{*request, trace::LensWhat()}) : std::nullopt;
}

std::shared_ptr<const trace::Lens> shownLens(const ViewContext& context) {
    const auto question = lensQuestion(*context.document);
    return question ? context.known->of(question->request, trace::LensWhat()) : nullptr;
}

std::optional<trace::RefusalText> whyLensRefused(const ViewContext& context) {
    const auto question = lensQuestion(*context.document);
    return question ? context.known->refusalOf(*question) : std::nullopt;
}

std::optional<View::Lacking> lackingLensOfTwin(const ViewContext& context) {
    if (!isLensOfTwin(*context.document) || shownLens(context))
        return std::nullopt;
    return View::Lacking{.choice = "of", .why = whyLensRefused(context)};
}

QString whyNoLens(const ViewContext& context, const QWidget& view) {
    const auto& run = context.document->run;
    if (!run)
        return hintForNoRun(view);
    if (run->complete && run->answers().empty())
        return whyNotMeasured(run.get(), view);
    if (const auto refusal = whyLensRefused(context))
        return QString::fromStdString(trace::paragraph(*refusal));
    return run->complete ? ShownLens::tr("Reading the layers...")
                         : ShownLens::tr("The sentence is still being decoded.");
}

} // namespace headscope::widgets
