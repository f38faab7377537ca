#include "widgets/views/lens/lens_step.h"

#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"

#include <QCoreApplication>

#include <cmath>

namespace headscope::widgets {

namespace {

struct LensStep {
    Q_DECLARE_TR_FUNCTIONS(LensStep)
};

/// "cross 1", or the embedding.
QString shortStage(const LensTable& table, int row) {
    const auto sublayer = table.sublayer(row);
    return sublayer
               ? QStringLiteral("%1 %2").arg(shortSublayer(sublayer->kind), QString::number(sublayer->layer))
               : LensStep::tr("embedding");
}

double probability(const trace::LensReading& reading) {
    return std::exp(static_cast<double>(reading.chosenLogProbability));
}

} // namespace

TableContent lensStepContent(const LensTable& table, int step) {
    const auto& contrast = table.lens()->contrast;
    const QString chosen = table.chosen(step).text;
    TableColumn layer{.title = {}}, after{.title = LensStep::tr("after")},
        says{.title = LensStep::tr("says")},
        bar{.title = contrast ? QStringLiteral("%1 | %2").arg(chosen, tokenLabel(*contrast).text) : chosen,
            .toolTip = contrast ? LensStep::tr("Probability of the chosen token; below it, of the other one")
                                : LensStep::tr("Probability of the chosen token"),
            .bars = TableColumn::Bars::Alone,
            .fromLeft = true,
            .tracked = true,
            .longest = 1},
        share{.title = {}, .write = shareText, .sample = QStringLiteral("<00.0 %")},
        lead{.title = contrast ? LensStep::tr("ahead") : QString(),
             .toolTip = LensStep::tr("Difference of both logits"),
             .write = shortSignedText,
             .hidden = !contrast,
             .sample = QStringLiteral("+00.00")};
    TableContent content;
    std::optional<int> before;
    for (int row = 0; row < table.rows(); ++row) {
        const auto& reading = table.reading({row, step});
        const auto sublayer = table.sublayer(row);
        const std::optional<int> own = sublayer ? std::optional<int>(sublayer->layer) : before;
        const bool isFirst = own != before;
        layer.texts += isFirst ? QString::number(own.value_or(0)) : QString();
        if (isFirst && row > 0)
            content.ruled.insert(row);
        before = own;
        after.texts += !sublayer ? LensStep::tr("embedding")
                       : sublayer->kind == trace::SublayerKind::DecoderFeedForward
                           ? LensStep::tr("feed-forward")
                           : shortSublayer(sublayer->kind);
        says.tokens.push_back(table.piece({row, step}));
        bar.numbers.emplace_back(probability(reading));
        share.numbers.emplace_back(probability(reading));
        if (!reading.lead)
            continue;
        bar.second.emplace_back(std::exp(static_cast<double>(reading.chosenLogProbability) - *reading.lead));
        lead.numbers.emplace_back(*reading.lead);
    }
    content.columns = {layer, after, says, bar, share};
    if (contrast)
        content.columns.push_back(lead);
    // The table is shared by value: its tooltips may outlive the view's.
    content.words = [table, step](int row) { return lensCellStatus(table, {row, step}); };
    content.toolTip = [table, step](int row, int) {
        return lensCellLines(table, {row, step}).join(QChar('\n'));
    };
    return content;
}

QString lensStepNote(const LensTable& table, int step) {
    QStringList said;
    const QString chosen = quoted(table.chosen(step));
    if (const auto row = table.decidedRow(step))
        said += *row == table.rows() - 1
                    ? LensStep::tr("%1 is first from the embedding on").arg(chosen)
                    : LensStep::tr("%1 is first from %2 on").arg(chosen, shortStage(table, *row));
    else
        said += LensStep::tr("%1 is not first at the end").arg(chosen);
    std::optional<int> largest;
    for (int row = 0; row < table.rows(); ++row)
        if (const auto& lead = table.reading({row, step}).lead;
            lead && (!largest || *lead > *table.reading({*largest, step}).lead))
            largest = row;
    if (largest)
        said += LensStep::tr("its lead is largest after %1").arg(shortStage(table, *largest));
    return said.join(QStringLiteral("; ")) + '.';
}

QString lensStepCaption(const LensTable& table, int step) {
    const auto& contrast = table.lens()->contrast;
    const QString what =
        contrast ? LensStep::tr("the probabilities of the chosen token and of %1, and the difference of "
                                "their logits")
                       .arg(quoted(tokenLabel(*contrast)))
                 : LensStep::tr("the probability of the chosen token");
    return LensStep::tr("Logit lens: what %1 would say if a step ended after each sublayer, with %2. %3. %4")
        .arg(lensModelName(*table.run(), *table.lens()), what, lensStepInWords(table, step),
             lensStepNote(table, step));
}

} // namespace headscope::widgets
