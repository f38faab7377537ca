#include "widgets/views/decoding/decoding_view.h"

#include "widgets/controls/decoding_editor.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/table_figure.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace headscope::widgets {

namespace {

struct Setting {
    QString name;
    QString value;
};

/// Of a recording, only what it states.
std::vector<Setting> settingsOf(const DocumentState& document) {
    const auto& decoding = document.run->request.decoding;
    const auto* recorded = document.model ? document.model->recorded.get() : nullptr;
    const int newTokens = recorded ? recorded->paths.back().newTokens : document.newTokens;
    const auto number = [](auto value) { return QString::number(value); };
    std::vector<Setting> all{{DecodingView::tr("Decoding"), decodingTitle(decoding)}};
    if (decoding.beam > 1)
        all.push_back({DecodingView::tr("Length penalty"), number(decoding.lengthPenalty)});
    if (decoding.sample)
        all.insert(all.end(), {{DecodingView::tr("Temperature"), number(decoding.temperature)},
                               {DecodingView::tr("Top-k"),
                                decoding.topK > 0 ? number(decoding.topK) : DecodingView::tr("all tokens")},
                               {DecodingView::tr("Top-p"), number(decoding.topP)},
                               {DecodingView::tr("Seed"), number(decoding.seed)}});
    const auto addIfStated = [&](const QString& name, int value, const QString& text) {
        if (value > 0 || !recorded)
            all.push_back({name, text});
    };
    addIfStated(DecodingView::tr("Minimum length"), decoding.minimumLength, number(decoding.minimumLength));
    addIfStated(DecodingView::tr("Maximum length"), newTokens, number(newTokens));
    addIfStated(DecodingView::tr("Block repeated n-grams"), decoding.noRepeat,
                decoding.noRepeat > 0 ? number(decoding.noRepeat) : DecodingView::tr("off"));
    return all;
}

} // namespace

View* views::makers::decoding(Selection*, QWidget* parent) {
    return new DecodingView(parent);
}

DecodingView::DecodingView(QWidget* parent) : View(parent), editor_(new DecodingEditor(this)) {
    setAccessibleName(tr("Decoding"));
    setFocusProxy(editor_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(editor_);
    connect(editor_, &DecodingEditor::decodingChanged, this,
            [this](const trace::Decoding& decoding, int newTokens) {
                Q_EMIT intended(intents::DecodeBy{decoding, newTokens});
            });
}

void DecodingView::refresh() {
    const auto& document = *context().document;
    const auto* recorded = document.model ? document.model->recorded.get() : nullptr;
    editor_->setRecorded(recorded != nullptr);
    if (recorded)
        return editor_->setDecoding(recorded->decoding, recorded->paths.back().newTokens);
    if (document.model)
        editor_->setDefaults(document.model->decoding, document.model->newTokens);
    if (document.decoding != editor_->decoding() || document.newTokens != editor_->newTokens())
        editor_->setDecoding(document.decoding, document.newTokens);
}

bool DecodingView::hasFigure() const {
    return context().document->run && !lackOf(*viewSpec("decoding"), *context().document);
}

QString DecodingView::whyEmpty() const {
    const auto lack = lackOf(*viewSpec("decoding"), *context().document);
    return lack ? QCoreApplication::translate("ViewSpec", lack->why) : QString();
}

std::optional<FigureBlocks> DecodingView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const auto all = settingsOf(*context().document);
    const TableFigure figure{.columns = {filled({.title = tr("Setting")}, all, &Setting::name),
                                         filled({.title = tr("Value")}, all, &Setting::value)},
                             .caption = figureText().caption,
                             .font = font(),
                             .parts = figureParts()};
    return figure.blocks();
}

FigureText DecodingView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Decoding"),
            .caption = tr("How the next tokens were chosen; lengths in tokens."),
            .provenance = provenance(*context().document->run)};
}

trace::FigureData DecodingView::figureData() const {
    if (!hasFigure())
        return {};
    const auto all = settingsOf(*context().document);
    return {
        .tables = {{.name = "decoding",
                    .columns = {dataColumn("setting", all, [](const Setting& each) { return each.name; }),
                                dataColumn("value", all, [](const Setting& each) { return each.value; })}}}};
}

std::optional<PictureOptions> DecodingView::picture(PictureOptions) const {
    return ofTheWhole("decoding");
}

} // namespace headscope::widgets
