// Draws the shown sentence with others as one padded batch.
#include "app/document/decode_controller.h"
#include "app/render/picture_makers.h"
#include "model/trace/refusal.h"
#include "widgets/views/masks/batch_view.h"
#include "widgets/views/masks/mask_view.h"

#include <string>
#include <vector>

namespace headscope::app {

namespace {

/// Returns the ids starting at `from`, as a user types them.
QString typedIds(const std::vector<std::int64_t>& all, std::size_t from) {
    QStringList ids;
    for (std::size_t i = from; i < all.size(); ++i)
        ids += QString::number(all[i]);
    return ids.join(' ');
}

/// Returns the forced target of the shown sentence, as a user types it. Throws trace::Refusal if it cannot be
/// typed.
QString forcedText(const trace::Run& run) {
    const auto& path = run.request.paths.back();
    if (std::holds_alternative<std::monostate>(path.forced) || run.model->decoderLayers == 0)
        return {};
    const auto* text = std::get_if<std::string>(&path.forced);
    if (path.newTokens == 0 && text)
        return QString::fromStdString(*text);
    const auto* target = std::get_if<trace::TargetIds>(&path.forced);
    const bool begins = target && !target->ids.empty() && target->ids.front() == run.model->special.start;
    const bool isTyped = path.newTokens == 0 && begins && run.model->tokenizer.empty();
    if (!isTyped && run.model->recorded)
        throw trace::Refusal(
            {.what = "A batch does not show the target of this trace",
             .where = "--view inputs",
             .wayOut = "draw it of the model that it was recorded from, with --source and --beside"});
    if (!isTyped)
        throw trace::Refusal({.what = "A batch does not show this target",
                              .where = "--view inputs",
                              .expected = "--target, without --continue",
                              .found = path.newTokens > 0 ? "--continue" : "--target-ids",
                              .wayOut = "force a whole target as it would be typed"});
    return typedIds(target->ids, 1);
}

} // namespace

widgets::FigureSource* makeInputs(const Scene& scene, const widgets::PictureOptions& options,
                                  QMainWindow& window, RenderedView& stage) {
    auto* view = placed(new widgets::MaskView(scene.document->selection()), scene, options, window, stage);
    view->batch()->setDecoding(scene.document->controller()->decoding(),
                               scene.document->controller()->newTokens());
    const auto& run = scene.document->controller()->run();
    view->batch()->setModel(run->model);
    std::vector<widgets::BatchSentence> sentences;
    if (const auto* source = std::get_if<std::string>(&run->request.source))
        sentences.push_back({.source = QString::fromStdString(*source), .target = forcedText(*run)});
    else if (const auto* ids = std::get_if<trace::SourceIds>(&run->request.source);
             ids && run->model->tokenizer.empty())
        sentences.push_back({.source = typedIds(ids->ids, 0), .target = forcedText(*run)});
    for (const auto& sentence : options.beside)
        sentences.push_back({.source = QString::fromStdString(sentence)});
    view->batch()->setSentences(sentences);
    view->setPage(widgets::MaskView::Page::Batch);
    stage.why = [view] { return view->hasFigure() ? QString() : view->batch()->caption(); };
    return view;
}

} // namespace headscope::app
