#include "widgets/views/arithmetic/arithmetic_words.h"

#include "widgets/map/mask_words.h"
#include "widgets/tables/table_column.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::CellArithmetic;

struct ArithmeticWords {
    Q_DECLARE_TR_FUNCTIONS(Arithmetic)
};

QString scaleInWords(const CellArithmetic& cell) {
    const auto& scale = cell.scale;
    const int width = cell.q.size();
    QString where = scale.isInverseRoot ? ArithmeticWords::tr("1/\u221A%1").arg(width)
                    : scale.isChanged   ? ArithmeticWords::tr("by a what-if")
                                        : ArithmeticWords::tr("the model's own");
    if (scale.temperature != 1)
        where += ArithmeticWords::tr(", divided by the temperature %1").arg(scale.temperature);
    return where;
}

QString maskInWords(const CellArithmetic& cell) {
    if (!cell.closed)
        return ArithmeticWords::tr("allowed; the score is unchanged.");
    return ArithmeticWords::tr("%1.").arg(closedInWords(*cell.closed));
}

QString softmaxInWords(const CellArithmetic& cell) {
    const auto& term = cell.row.at(cell.key);
    const int open = std::ranges::count_if(cell.row, &analysis::KeyTerm::open);
    if (cell.rowIsClosed)
        return ArithmeticWords::tr("the whole row is masked, so all %1 keys get the same weight, %2.")
            .arg(QString::number(cell.row.size()), preciseText(cell.weight));
    if (!term.open)
        return ArithmeticWords::tr(
                   "a masked cell is not part of the sum %1 of the %2 allowed cells. Its weight is 0.")
            .arg(preciseText(cell.sum), QString::number(open));
    return ArithmeticWords::tr(
               "exp(%1 \u2212 %2) = %3, where %2 is the row's largest score; the %4 allowed keys "
               "sum to %5; %3 / %5 = %6, the weight.")
        .arg(preciseText(term.score), preciseText(cell.largest), preciseText(term.exponential),
             QString::number(open), preciseText(cell.sum), preciseText(term.exponential / cell.sum));
}

QString outputInWords(const CellArithmetic& cell) {
    const QString length = preciseText(analysis::length(cell.output));
    if (cell.factor == 0)
        return ArithmeticWords::tr("The sum over all keys would be the head's output, with norm %1; the head "
                                   "is off, so it writes 0 to the residual stream.")
            .arg(length);
    const QString output =
        ArithmeticWords::tr("The sum over all keys is the head's output, with norm %1").arg(length);
    if (cell.isReplaced)
        return ArithmeticWords::tr("%1. A what-if replaces this output.").arg(output);
    if (cell.factor != 1)
        return ArithmeticWords::tr("%1. A what-if multiplies this output by %2; the output projection writes "
                                   "the product to the residual stream.")
            .arg(output, preciseText(cell.factor));
    return ArithmeticWords::tr("%1, which the output projection writes to the residual stream.").arg(output);
}

/// " + 0.4000 (distance bias)"; empty if the model has none.
QString distanceInWords(double distance, bool isReadOff) {
    if (distance == 0)
        return {};
    const QString sign = distance < 0 ? QStringLiteral(" \u2212 ") : QStringLiteral(" + ");
    return sign +
           (isReadOff
                ? ArithmeticWords::tr("%1 (distance bias, derived from the score: positions are shuffled)")
                : ArithmeticWords::tr("%1 (distance bias)"))
               .arg(preciseText(std::abs(distance)));
}

/// ", capped by 50 tanh(x / 50)"; empty if the model has no cap.
QString capInWords(double cap) {
    return cap > 0 ? ArithmeticWords::tr(", capped by %1 tanh(x / %1)").arg(preciseText(cap)) : QString();
}

/// Equal within single precision.
bool isSame(double computed, double shown) {
    return std::abs(computed - shown) <= 1e-5 * std::max(1.0, std::abs(shown)) ||
           (std::isnan(computed) && std::isnan(shown));
}

QString sizeOf(double difference) {
    return QString::number(std::abs(difference), 'g', 2);
}

/// Compares with the model's weight, for a map that combines weights.
QString modelInWords(double computed, double ofModel) {
    if (computed == ofModel)
        return ArithmeticWords::tr("The model's is the same.");
    return isSame(computed, ofModel)
               ? ArithmeticWords::tr("The model's is the same, to %1.").arg(sizeOf(computed - ofModel))
               : ArithmeticWords::tr("The model's is %1: a difference of %2.")
                     .arg(preciseText(ofModel), sizeOf(computed - ofModel));
}

/// How the value of the map is combined from such weights; empty if it is the weight itself.
QString sharedOutInWords(const analysis::ViewedWeight& viewed) {
    QStringList ways;
    if (viewed.keyPieces > 1)
        ways += ArithmeticWords::tr("the %1 tokens of the key's word have %2 together")
                    .arg(QString::number(viewed.keyPieces), preciseText(viewed.together));
    if (viewed.kept)
        ways +=
            ArithmeticWords::tr("renormalising over the keys that are not special, which have %1, gives %2")
                .arg(preciseText(*viewed.kept),
                     preciseText(*viewed.kept == 0 ? viewed.together : viewed.together / *viewed.kept));
    if (viewed.queryPieces > 1)
        ways += ArithmeticWords::tr("the mean over the %1 tokens of the query's word is %2")
                    .arg(QString::number(viewed.queryPieces), preciseText(viewed.computed));
    return ways.join(ArithmeticWords::tr("; "));
}

QString viewedInWords(const CellArithmetic& cell, const analysis::ViewedWeight& viewed) {
    const QString ways = sharedOutInWords(viewed);
    if (ways.isEmpty() || viewed.isHidden)
        return differenceInWords(cell.weight, cell.shownWeight);
    QString words = modelInWords(cell.weight, cell.shownWeight) + ' ';
    if (!viewed.shown)
        return words +
               ArithmeticWords::tr("This cell is hatched in the map of weights: all of it is masked.");
    const double difference = viewed.computed - *viewed.shown;
    if (difference == 0)
        words += ArithmeticWords::tr("The map of weights shows the same value, %1: %2.");
    else if (isSame(viewed.computed, *viewed.shown))
        words += ArithmeticWords::tr("The map of weights shows %1, the same to %3: %2.");
    else
        words += ArithmeticWords::tr("The map of weights shows %1, a difference of %3: %2.");
    words = words.arg(preciseText(*viewed.shown), ways);
    return difference == 0 ? words : words.arg(sizeOf(difference));
}

} // namespace

QString arithmeticTitle(const trace::Run& run, const CellArithmetic& cell) {
    const auto kind = cell.head.site.kind;
    return ArithmeticWords::tr("%1: %2 \u2192 %3", "head, query, key")
        .arg(address(cell.head), queryInWords(run, kind, static_cast<int>(cell.query)),
             keyInWords(run, kind, static_cast<int>(cell.key)));
}

QString differenceInWords(double computed, double shown) {
    if (computed == shown || (std::isnan(computed) && std::isnan(shown)))
        return ArithmeticWords::tr("The map shows the same.");
    const QString size = sizeOf(computed - shown);
    return isSame(computed, shown)
               ? ArithmeticWords::tr("The map shows the same, to %1.").arg(size)
               : ArithmeticWords::tr("The map shows %1: a difference of %2.").arg(preciseText(shown), size);
}

QStringList arithmeticInWords(const CellArithmetic& cell, const analysis::ViewedWeight* viewed) {
    QStringList steps{ArithmeticWords::tr("1. Product: q \u00B7 k = %1, the sum of %2 products.")
                          .arg(preciseText(cell.dot), QString::number(cell.q.size())),
                      ArithmeticWords::tr("2. Scale: %1 \u00D7 %2 (%3)%4 = %5, the score. %6")
                          .arg(preciseText(cell.dot), preciseText(cell.scale.factor), scaleInWords(cell),
                               distanceInWords(cell.distance, cell.isDistanceReadOff) + capInWords(cell.cap),
                               preciseText(cell.score), differenceInWords(cell.score, cell.shownScore)),
                      ArithmeticWords::tr("3. Mask: %1").arg(maskInWords(cell)),
                      ArithmeticWords::tr("4. Softmax: %1").arg(softmaxInWords(cell))};
    if (cell.isForced)
        steps.back() +=
            ' ' + ArithmeticWords::tr("A what-if then replaces the row's weights; this weight is %1.")
                      .arg(preciseText(cell.weight));
    steps.back() +=
        ' ' + (viewed ? viewedInWords(cell, *viewed) : differenceInWords(cell.weight, cell.shownWeight));
    steps += ArithmeticWords::tr("5. Value: v has norm %1, weight \u00D7 v %2. %3")
                 .arg(preciseText(analysis::length(cell.v)), preciseText(analysis::length(cell.adds)),
                      outputInWords(cell));
    if (cell.isTurned)
        steps.front() +=
            ' ' + ArithmeticWords::tr(
                      "q and k are the query and key after the rotation by position (rotary positions).");
    if (viewed && viewed->isHidden)
        steps.prepend(ArithmeticWords::tr("The map hides this key because it is special: below, \u201CThe "
                                          "map\u201D means the map of all keys."));
    if (cell.factor == 0)
        steps.prepend(ArithmeticWords::tr("A what-if switches this head off. Steps 1 to 5 show what the head "
                                          "still computes; nothing of it is passed on."));
    return steps;
}

QString streamInWords(const analysis::StreamAddition& addition, trace::NormAfter norm) {
    const auto percent = [](double share) { return numberText(100 * share) + QStringLiteral(" %"); };
    QString words =
        addition.length == 0
            ? ArithmeticWords::tr("6. Residual stream: this key contributes nothing. Norms: all keys of the "
                                  "head %1, the whole sublayer %2, the stream before %3.")
                  .arg(preciseText(addition.lengthOfHead), preciseText(addition.lengthOfSublayer),
                       preciseText(addition.lengthBefore))
            : ArithmeticWords::tr(
                  "6. Residual stream: weight \u00D7 W_O v has norm %1, mostly in dimension %2 (%3). Norms: "
                  "all keys of the head %4, the whole sublayer %5, the stream before %6.")
                  .arg(preciseText(addition.length), QString::number(addition.largest),
                       preciseText(addition.added[addition.largest]), preciseText(addition.lengthOfHead),
                       preciseText(addition.lengthOfSublayer), preciseText(addition.lengthBefore));
    if (addition.share && addition.length > 0)
        words +=
            ' ' + ArithmeticWords::tr("Along the sublayer's output, the key makes up %1 and the head %2.")
                      .arg(percent(*addition.share), percent(*addition.shareOfHead));
    if (addition.cosine)
        words += ' ' + ArithmeticWords::tr("The cosine of key and sublayer output is %1.")
                           .arg(preciseText(*addition.cosine));
    if (addition.lengthOfBias > 0)
        words += ' ' + ArithmeticWords::tr("The bias b_O has norm %1 and belongs to no head%2.")
                           .arg(preciseText(addition.lengthOfBias),
                                addition.shareOfBias
                                    ? ArithmeticWords::tr(" and makes up %1", "after: b_O belongs to "
                                                                              "no head")
                                          .arg(percent(*addition.shareOfBias))
                                    : QString());
    if (norm == trace::NormAfter::OfTheSum)
        words += ' ' + ArithmeticWords::tr("A norm follows and rescales the stream with everything added.");
    if (norm == trace::NormAfter::OfItAlone)
        words += ' ' + ArithmeticWords::tr("A norm rescales the sublayer's output before the addition.");
    return words;
}

QString otherQuantityInWords(Quantity shown) {
    if (shown == Quantity::Weights || isScore(shown))
        return {};
    return ArithmeticWords::tr("The map currently shows %1. These steps explain the weight: below, \u201CThe "
                               "map\u201D means the map of scores or weights.")
        .arg(quantityName(shown));
}

} // namespace headscope::widgets
