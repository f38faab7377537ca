#include "widgets/views/lens/lens_step.h"

#include "model/trace/sublayer_site.h"
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

/// Both names where the column leaves room for the others.
QString titleOfBoth(const QString& chosen, const QString& other) {
    constexpr int mostLetters = 12;
    return chosen.size() + other.size() <= mostLetters ? QStringLiteral("%1 | %2").arg(chosen, other)
                                                       : LensStep::tr("both");
}

/// Nothing where it is not known.
std::optional<double> probabilityBeside(const LensTable& table, const std::optional<LensBaseline>& baseline,
                                        int row) {
    const std::size_t stage = table.rows() - 1 - row;
    return baseline && stage < baseline->probabilities.size() ? std::optional(baseline->probabilities[stage])
                                                              : std::nullopt;
}

} // namespace

TableContent lensStepContent(const LensTable& table, int step, const std::optional<LensBaseline>& baseline) {
    const auto& contrast = table.lens()->contrast;
    const QString chosen = table.chosen(step).text;
    TableColumn layer{.title = {}}, after{.title = LensStep::tr("after")},
        says{.title = LensStep::tr("says")},
        bar{.title = contrast ? titleOfBoth(chosen, tokenLabel(*contrast).text) : chosen,
            .toolTip = contrast ? LensStep::tr("Probability of the chosen token; below it, of the other one")
                                : LensStep::tr("Probability of the chosen token"),
            .bars = TableColumn::Bars::Alone,
            .fromLeft = true,
            .tracked = true,
            .longest = 1},
        share{.title = {}, .write = shareText, .sample = QStringLiteral("<00.0 %")},
        number{.title = chosen,
               .toolTip = LensStep::tr("The number that the model would predict"),
               .write = [](double value) { return numberText(value); },
               .sample = QStringLiteral("-00.0000")},
        distance{.title = LensStep::tr("distance"),
                 .toolTip = LensStep::tr("Distance from the number that the model predicts"),
                 .write = [](double value) { return numberText(value); },
                 .sample = QStringLiteral("00.0000")},
        lead{.title = contrast ? LensStep::tr("ahead") : QString(),
             .toolTip = LensStep::tr("Difference between the two logits"),
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
        after.texts += !sublayer                         ? LensStep::tr("embedding")
                       : trace::attentionSite(*sublayer) ? shortSublayer(sublayer->kind)
                                                         : LensStep::tr("feed-forward");
        number.numbers.emplace_back(reading.chosenLogProbability);
        distance.numbers.emplace_back(reading.divergence);
        says.tokens.push_back(table.piece({row, step}));
        bar.numbers.emplace_back(probability(reading));
        share.numbers.emplace_back(probability(reading));
        if (baseline)
            bar.ticks.push_back(probabilityBeside(table, baseline, row));
        if (!reading.lead)
            continue;
        bar.second.emplace_back(std::exp(static_cast<double>(reading.chosenLogProbability) - *reading.lead));
        lead.numbers.emplace_back(*reading.lead);
    }
    content.columns = table.areNumbers() ? std::vector{layer, after, number, distance}
                                         : std::vector{layer, after, says, bar, share};
    if (contrast)
        content.columns.push_back(lead);
    // The table is shared by value: its tooltips may outlive the view's.
    const auto beside = [table, baseline](int row) {
        const auto probability = probabilityBeside(table, baseline, row);
        return probability ? QStringList{LensStep::tr("%1: %2").arg(baseline->name, shareText(*probability))}
                           : QStringList();
    };
    content.words = [table, step, beside](int row) {
        return (QStringList{lensCellStatus(table, {row, step})} + beside(row)).join(QStringLiteral("; "));
    };
    content.toolTip = [table, step, beside](int row, int) {
        return (lensCellLines(table, {row, step}) + beside(row)).join(QChar('\n'));
    };
    return content;
}

QString lensStepNote(const LensTable& table, int step) {
    QStringList said;
    const QString chosen = quoted(table.chosen(step));
    if (table.areNumbers())
        return LensStep::tr("The number is %1 after the last sublayer.").arg(table.piece({0, step}).text);
    if (const auto row = table.decidedRow(step))
        said += *row == table.rows() - 1
                    ? LensStep::tr("%1 ranks first from the embedding on").arg(chosen)
                    : LensStep::tr("%1 ranks first from %2 on").arg(chosen, shortStage(table, *row));
    else
        said += LensStep::tr("%1 does not rank first after the last sublayer").arg(chosen);
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
        table.areNumbers() ? LensStep::tr("its distance from the number of the model")
        : contrast ? LensStep::tr("the probabilities of the chosen token and of %1, and the difference of "
                                  "their logits")
                         .arg(quoted(tokenLabel(*contrast)))
                   : LensStep::tr("the probability of the chosen token");
    const QString read =
        table.run()->target.empty()
            ? LensStep::tr(
                  "Logit lens: what the output head of %1 would predict after each sublayer, with %2. %3. %4")
            : LensStep::tr(
                  "Logit lens: what %1 would predict if a step ended after each sublayer, with %2. %3. %4");
    return read.arg(lensModelName(*table.run(), *table.lens()), what, lensStepInWords(table, step),
                    lensStepNote(table, step));
}

} // namespace headscope::widgets
