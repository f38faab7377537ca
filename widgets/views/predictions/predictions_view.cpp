#include "widgets/views/predictions/predictions_view.h"

#include "widgets/controls/text_band.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/places.h"
#include "widgets/views/predictions/prediction_tracks.h"
#include "widgets/words/answer_words.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

/// With the word that holds the replaced token.
std::vector<TextBand::Word> bandWords(const PutIn& put, bool isWritten) {
    std::vector<TextBand::Word> words;
    const auto add = [&words](const QString& text, bool isChanged) {
        QString word;
        const auto flush = [&] {
            if (!word.trimmed().isEmpty())
                words.push_back({word, isChanged});
            word.clear();
        };
        for (const QChar c : text) {
            if (c.isSpace())
                flush();
            word += c.isSpace() ? QChar(' ') : c;
        }
        flush();
    };
    add(put.before, false);
    const QString own = isWritten ? put.written : put.replaced;
    const bool isSpaced = put.before.endsWith(' ') && !own.startsWith(' ');
    add(isSpaced ? QChar(' ') + own : own, true);
    add(put.after, false);
    return words;
}

} // namespace

View* views::makers::predictions(Selection* selection, QWidget* parent) {
    return new PredictionsView(selection, parent);
}

PredictionsView::PredictionsView(Selection* selection, QWidget* parent)
    : View(parent), tracks_(new PredictionTracks(selection, this)), put_(new QPushButton(this)),
      band_(new TextBand(this)) {
    setAccessibleName(tr("Predictions"));
    auto* line = new QHBoxLayout;
    line->setContentsMargins(space::s, space::xs, space::s, space::xs);
    line->addWidget(put_);
    line->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    column->addWidget(tracks_);
    column->addLayout(line);
    column->addWidget(band_);
    column->addStretch();
    connect(put_, &QPushButton::clicked, this, &PredictionsView::putChosenIn);
    connect(tracks_, &PredictionTracks::entered, this, &PredictionsView::putChosenIn);
    connect(tracks_, &PredictionTracks::chosenChanged, this, &PredictionsView::showChosen);
    connect(tracks_, &PredictionTracks::described, this, &View::cellDescribed);
    showChosen();
}

void PredictionsView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    const auto* text = run_ ? std::get_if<std::string>(&run_->request.source) : nullptr;
    if (last_ && (!text || *text != last_->text || run_->request.second != last_->second))
        last_.reset();
    tracks_->setRun(run_);
    showChosen();
    update();
}

std::optional<PutIn> PredictionsView::wanted() const {
    const bool canChange = run_ && run_->model && !run_->model->recorded && run_->model->tokenLabels == 0;
    const auto* chosen = canChange ? tracks_->chosen() : nullptr;
    return chosen ? putIn(*run_, tracks_->chosenPosition(), chosen->token) : std::nullopt;
}

/// The text before and after what is selected, or after that was put in and no mask is left.
void PredictionsView::showChosen() {
    const auto put = wanted();
    const auto& shown = put ? put : last_;
    tracks_->setVisible(!tracks_->isEmpty());
    put_->setVisible(put.has_value());
    band_->setVisible(shown.has_value());
    if (put) {
        put_->setText(tr("Put In %1").arg(QChar(0x201c) + put->written + QChar(0x201d)));
        put_->setToolTip(tr("Write this candidate into the text and predict again (Enter)"));
    }
    if (shown)
        band_->setLines(
            {{.name = tr("Before"), .words = bandWords(*shown, false), .score = {}, .isFaint = true},
             {.name = tr("After"), .words = bandWords(*shown, true), .score = {}}});
}

void PredictionsView::putChosenIn() {
    const auto put = wanted();
    if (!put)
        return;
    last_ = put;
    Q_EMIT intended(intents::Decode{.sentence = put->text, .second = put->second});
}

void PredictionsView::setSpaceMarksShown(bool shown) {
    tracks_->setSpaceMarksShown(shown);
}

QWidget* PredictionsView::takesKeys() const {
    return hasFigure() ? tracks_ : nullptr;
}

bool PredictionsView::hasFigure() const {
    return !tracks_->isEmpty();
}

QString PredictionsView::whyEmpty() const {
    if (!run_)
        return hintForNoRun(*this);
    if (run_->model && run_->model->tokenLabels > 0)
        return tr("The text has no token to label.");
    if (run_->model && run_->model->tokenPrediction != trace::TokenPrediction::Masked)
        return tr("This model predicts no tokens of the text.");
    return run_->model && run_->model->recorded
               ? tr("This trace contains no predictions of masked tokens.")
               : tr("Type %1 in place of a word.").arg(QString::fromStdString(run_->model->maskPiece));
}

void PredictionsView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure())
        drawEmptyState(painter, QRectF(rect()).adjusted(0, 80, 0, 0),
                       tr("Shows what the model predicts for tokens of the text."), whyEmpty(), theme);
}

QString PredictionsView::caption() const {
    const QString words =
        run_->model->tokenLabels > 0
            ? tr("The most probable labels of each token; the bar of a label is its probability.")
        : !run_->spanLogProbabilities.empty()
            ? tr("For each token the probability that the answer starts there, and that it ends there, in "
                 "percent. %1.")
                  .arg(answerInWords(*run_))
        : tracks_->hasMasks()
            ? tr("The most probable tokens of each mask; the bar of a token is its probability over the "
                 "whole vocabulary.")
            : tr("For each token, the probability that it was put in place of the original, in percent.");
    return withModel(*run_->model, words);
}

std::optional<FigureBlocks> PredictionsView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    return FigureBlocks{.picture = tracks_->block(figureParts().marks), .caption = caption(), .font = font()};
}

FigureText PredictionsView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Predictions"),
            .caption = caption(),
            .provenance = provenance(*run_),
            .quantity = tr("probability")};
}

trace::FigureData PredictionsView::figureData() const {
    if (!hasFigure())
        return {};
    std::vector<double> positions, ranks, ids, probabilities;
    QStringList tokens;
    const auto add = [&](std::size_t position, const trace::Token& token, double probability) {
        positions.push_back(static_cast<double>(position));
        tokens += tokenLabel(token).full();
        ids.push_back(static_cast<double>(token.id));
        probabilities.push_back(probability);
    };
    for (const auto& [position, candidates] : run_->maskCandidates)
        for (std::size_t rank = 0; rank < candidates.size(); ++rank) {
            ranks.push_back(static_cast<double>(rank + 1));
            add(position, candidates[rank].token, std::exp(double{candidates[rank].logProbability}));
        }
    for (std::size_t i = 0; i < run_->replacedProbabilities.size(); ++i)
        add(i, run_->source[i], run_->replacedProbabilities[i]);
    if (const auto& spans = run_->spanLogProbabilities; !spans.empty()) {
        std::vector<double> ends;
        for (std::size_t i = 0; i < spans.columns(); ++i) {
            add(i, run_->source[i], std::exp(double{spans(0, i)}));
            ends.push_back(std::exp(double{spans(1, i)}));
        }
        return {.tables = {{.name = "predictions",
                            .columns = {dataColumn("position", positions), dataColumn("token", tokens),
                                        dataColumn("id", ids), dataColumn("start", probabilities),
                                        dataColumn("end", ends)}}}};
    }
    trace::DataTable table{.name = "predictions",
                           .columns = {dataColumn("position", positions), dataColumn("token", tokens),
                                       dataColumn("id", ids), dataColumn("probability", probabilities)}};
    if (!ranks.empty())
        table.columns.insert(table.columns.begin() + 1, dataColumn("rank", ranks));
    return {.tables = {table}};
}

std::optional<PictureOptions> PredictionsView::picture(PictureOptions options) const {
    return ofView(std::move(options), "predictions");
}

} // namespace headscope::widgets
