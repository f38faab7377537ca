#include "widgets/views/lens/lens_table.h"

#include "model/analysis/output/lens_decision.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t candidatesNamed = 5;

struct LensWords {
    Q_DECLARE_TR_FUNCTIONS(Lens)
};

QString sublayerName(trace::SublayerKind kind) {
    switch (kind) {
    case trace::SublayerKind::EncoderSelf:
    case trace::SublayerKind::DecoderSelf:
        return LensWords::tr("self-attention");
    case trace::SublayerKind::Cross:
        return LensWords::tr("cross-attention");
    default:
        return LensWords::tr("feed-forward");
    }
}

QString chosenInWords(const LensTable& table, MapCell cell) {
    const auto& reading = table.reading(cell);
    if (table.areNumbers() && cell.row == 0)
        return LensWords::tr("%1: %2").arg(table.chosen(cell.column).full(), table.piece(cell).full());
    if (table.areNumbers())
        return LensWords::tr("%1: %2, %3 from the model's number")
            .arg(table.chosen(cell.column).full(), table.piece(cell).full(),
                 numberText(static_cast<double>(reading.divergence)));
    const QString words = LensWords::tr("%1: probability %2, rank %3; KL %4 nats")
                              .arg(quoted(table.chosen(cell.column)),
                                   numberText(std::exp(static_cast<double>(reading.chosenLogProbability))),
                                   QString::number(reading.chosenRank + 1),
                                   numberText(static_cast<double>(reading.divergence)));
    const auto& contrast = table.lens()->contrast;
    return contrast && reading.lead
               ? LensWords::tr("%1; log-probability compared with %2: %3 nats")
                     .arg(words, quoted(tokenLabel(*contrast)), numberText(double(*reading.lead)))
               : words;
}

QString tintInWords(LensTint tint, const std::optional<trace::Token>& contrast) {
    const QString probability =
        contrast ? LensWords::tr("the probability p of the chosen token compared with q of %1, p / (p + q)")
                       .arg(quoted(tokenLabel(*contrast)))
                 : LensWords::tr("the probability of the chosen token");
    switch (tint) {
    case LensTint::Probability:
        return probability;
    case LensTint::LogProbability:
        return LensWords::tr("%1, logarithmic").arg(probability);
    case LensTint::Rank:
        return LensWords::tr("the rank of the chosen token; 1 is the most probable");
    case LensTint::Divergence:
        break;
    }
    return LensWords::tr("the Kullback-Leibler divergence of the model's distribution from this one, nats");
}

} // namespace

LensTable::LensTable(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens) {
    if (!run || !lens)
        return;
    run_ = std::move(run);
    lens_ = std::move(lens);
    const auto answers = run_->answers();
    const std::size_t steps = std::min(lens_->readings.size(), answers.size());
    chosen_ = tokenLabels(answers);
    chosen_.resize(steps);
    for (std::size_t t = 0; t < steps; ++t) {
        const auto& stages = lens_->readings[t];
        pieces_.emplace_back();
        for (const auto& reading : stages)
            pieces_.back().push_back(
                lens_->areNumbers ? TokenLabel{.text = numberText(double(reading.chosenLogProbability))}
                : reading.candidates.empty() ? TokenLabel()
                                             : tokenLabel(reading.candidates.front().token));
        if (lens_->areNumbers) { // nothing is chosen
            decided_.emplace_back();
            continue;
        }
        const auto decided = analysis::decidedStage(stages, answers[t].id);
        decided_.push_back(decided ? std::optional(rows() - 1 - static_cast<int>(*decided)) : std::nullopt);
    }
}

bool LensTable::has(const MapCell& cell) const {
    return cell.row >= 0 && cell.column >= 0 && cell.row < rows() && cell.column < columns();
}

const trace::LensReading& LensTable::reading(MapCell cell) const {
    return lens_->readings.at(cell.column).at(stageOf(cell.row));
}

std::optional<trace::SublayerAddress> LensTable::sublayer(int row) const {
    return trace::parseSublayerAddress(lens_->stages.at(stageOf(row)));
}

QString lensRowName(const LensTable& table, int row) {
    const auto sublayer = table.sublayer(row);
    const QString name = sublayer ? sublayerName(sublayer->kind) : LensWords::tr("embedding");
    return row == 0 ? LensWords::tr("%1 = model").arg(name) : name;
}

QString lensStageInWords(const LensTable& table, int row) {
    const auto sublayer = table.sublayer(row);
    if (!sublayer)
        return LensWords::tr("The embedding, before the first layer");
    const QString stage =
        LensWords::tr("After %1, layer %2").arg(sublayerName(sublayer->kind)).arg(sublayer->layer);
    return row == 0 ? LensWords::tr("%1: the model's own prediction").arg(stage) : stage;
}

QString lensStepInWords(const LensTable& table, int column) {
    const auto& run = *table.run();
    const QString place = QString::number(column + 1), all = QString::number(table.columns());
    if (!run.target.empty())
        return LensWords::tr("Step %1 of %2: %3")
            .arg(place, all, queryInWords(run, trace::AttentionKind::Cross, column));
    const QString chosen = quoted(table.chosen(column));
    if (table.areNumbers())
        return LensWords::tr("Number %1").arg(chosen);
    if (run.answerKind() == trace::AnswerKind::Ends)
        return (column == 0 ? LensWords::tr("Start of the answer: %1")
                            : LensWords::tr("End of the answer: %1"))
            .arg(chosen);
    if (run.maskCandidates.empty())
        return LensWords::tr("Class %1").arg(chosen);
    return (run.model && run.model->tokenLabels > 0 ? LensWords::tr("Token %1 of %2: label %3")
                                                    : LensWords::tr("Mask %1 of %2: %3"))
        .arg(place, all, chosen);
}

QString lensCellStatus(const LensTable& table, MapCell cell) {
    const auto& candidates = table.reading(cell).candidates;
    if (table.areNumbers())
        return QStringList{lensStageInWords(table, cell.row), chosenInWords(table, cell)}.join(
            QStringLiteral("; "));
    const QString best = candidates.empty()
                             ? QString()
                             : LensWords::tr("most probable %1 %2")
                                   .arg(quoted(table.piece(cell)),
                                        numberText(std::exp(double(candidates.front().logProbability))));
    return QStringList{answerName(*table.run(), cell.column), lensStageInWords(table, cell.row), best,
                       chosenInWords(table, cell)}
        .join(QStringLiteral("; "));
}

QStringList lensCellLines(const LensTable& table, MapCell cell) {
    QStringList lines{lensStageInWords(table, cell.row), lensStepInWords(table, cell.column)};
    const auto& candidates = table.reading(cell).candidates;
    for (std::size_t i = 0; !table.areNumbers() && i < std::min(candidates.size(), candidatesNamed); ++i)
        lines += QStringLiteral("%1. %2  %3")
                     .arg(QString::number(i + 1), exactly(tokenLabel(candidates[i].token)),
                          numberText(std::exp(static_cast<double>(candidates[i].logProbability))));
    lines += chosenInWords(table, cell);
    if (table.decidedRow(cell.column) == cell.row)
        lines += LensWords::tr("Decided at this stage: the chosen token stays the most probable one.");
    return lines;
}

QString lensCaption(const LensTable& table, LensTint tint) {
    const auto& run = *table.run();
    const QString model = lensModelName(run, *table.lens());
    const bool isChanged = !effective(run.request.interventions).empty();
    const bool isNormed = table.lens()->finalNorm;
    const QString read =
        run.target.empty()
            ? isNormed ? LensWords::tr(
                             "final norm and output head applied to the residual stream after each sublayer")
                       : LensWords::tr("output head applied to the residual stream after each sublayer")
        : isNormed
            ? LensWords::tr("final norm and generator applied to the residual stream after each "
                            "sublayer")
            : LensWords::tr(
                  "generator applied to the residual stream after each sublayer (without a final norm)");
    if (table.areNumbers())
        return LensWords::tr("Logit lens of %1%2: %3, with the number that it gives.")
            .arg(model, isChanged ? LensWords::tr(", changed") : QString(), read);
    return LensWords::tr("Logit lens of %1%2: %3, with the most probable token. Colour: %4. A line under a "
                         "cell: from this stage up the chosen token stays the most probable one.")
        .arg(model, isChanged ? LensWords::tr(", changed") : QString(), read,
             tintInWords(tint, table.lens()->contrast));
}

} // namespace headscope::widgets
