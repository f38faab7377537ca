#include "widgets/position_words.h"

#include "widgets/captions.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <variant>

namespace headscope::widgets {

namespace {

using analysis::PositionalShift;
using Map = PositionalShift::Map;

QString tr(const char* text) {
    return QCoreApplication::translate("headscope::widgets::PositionWords", text);
}

QString sideName(PositionSide side) {
    return side == PositionSide::Source ? tr("source") : tr("target");
}

QString percent(double share) {
    return QStringLiteral("%1 %").arg(100 * share, 0, 'f', share < 0.1 ? 1 : 0);
}

QString howMapped(const PositionalShift& shift) {
    if (shift.map == Map::Rotation)
        return tr("The table is sinusoidal: each pair of dimensions is turned by %1 times its measured "
                  "frequency, and nothing is fitted. %2 over all %3 pairs of positions.")
            .arg(shift.offset)
            .arg(rSquaredText(shift))
            .arg(shift.heldOut);
    const QString fitted = tr("M is fitted by least squares on the %1 pairs with an even position. %2 on the "
                              "%3 with an odd one, which the fit does not know.")
                               .arg(shift.fitted)
                               .arg(rSquaredText(shift))
                               .arg(shift.heldOut);
    if (shift.map == Map::Dimensions)
        return fitted;
    return fitted + QChar(' ') +
           tr("There are too few pairs for all dimensions: these are the %1 leading directions, which hold "
              "%2 of the vectors.")
               .arg(shift.dimensions)
               .arg(percent(shift.variance));
}

} // namespace

QString rSquaredText(const PositionalShift& shift) {
    if (!shift.rSquared)
        return tr("no R²");
    return tr("R² %1").arg(numberText(*shift.rSquared));
}

QString wavelengthsCaption(const analysis::PositionalWavelengths& wavelengths, PositionSide side) {
    const QString start =
        tr("After how many positions each dimension of the %1 vectors repeats, measured from the first %2 "
           "positions of the table, not taken from a formula.")
            .arg(sideName(side))
            .arg(wavelengths.positions);
    if (wavelengths.layout)
        return start + QChar(' ') +
               (*wavelengths.layout == analysis::PairLayout::Interleaved
                    ? tr("The table is sinusoidal: sine and cosine of one frequency lie side by side.")
                    : tr("The table is sinusoidal: the sines fill one half of the vector, the cosines of the "
                         "same frequencies the other."));
    const auto constant = std::ranges::count_if(wavelengths.dimensions, [](const auto& w) { return !w; });
    QString words = start + QChar(' ') +
                    tr("The table is not sinusoidal: drawn is the period with the largest share of a "
                       "dimension's variance (Fourier); hollow where that is less than half.");
    if (constant > 0)
        words += QChar(' ') + tr("%1 constant dimensions have none.").arg(constant);
    return words;
}

QString shiftCaption(const PositionalShift& shift, PositionSide side) {
    if (shift.map == Map::None)
        return tr("A shift by %1 leaves %2 pairs of the %3 positions. A map that is judged on pairs it does "
                  "not know needs at least 7: choose a smaller shift.")
            .arg(shift.offset)
            .arg(shift.fitted + shift.heldOut)
            .arg(shift.positions);
    const QString words =
        tr("How far one linear map M from each %1 position to the one %2 later misses it: |M PE(pos) − "
           "PE(pos + %2)| / |PE(pos + %2)|. 1 is as bad as no map at all.")
            .arg(sideName(side))
            .arg(shift.offset);
    const QString hollow = shift.fitted > 0 ? QChar(' ') + tr("Hollow: fitted positions.") : QString();
    return words + QChar(' ') + howMapped(shift) + hollow;
}

QString sharesCaption(const TokenShares& shares, PositionSide side) {
    double position = 0;
    int counted = 0;
    for (const auto& share : shares.shares)
        if (std::isfinite(share.position)) {
            position += share.position;
            ++counted;
        }
    QString words =
        tr("What the first %1 layer gets of each token is its scaled word vector w plus its position p. The "
           "shares <w, w + p> / |w + p|² and <p, w + p> / |w + p|² add up to 1; one below 0 points away from "
           "the sum.")
            .arg(side == PositionSide::Source ? tr("encoder") : tr("decoder"));
    if (counted > 0)
        words += QChar(' ') + tr("Mean share of the position: %1 (%2 tokens).")
                                  .arg(numberText(position / counted))
                                  .arg(counted);
    return words;
}

QString wavelengthInWords(const analysis::PositionalWavelengths& wavelengths, int dimension) {
    const auto& wave = wavelengths.dimensions[static_cast<std::size_t>(dimension)];
    if (!wave)
        return tr("dimension %1 is constant").arg(dimension);
    const QString period = QString::number(wave->positions, 'g', 5);
    if (wavelengths.layout)
        return tr("dimension %1: a wave of %2 positions").arg(dimension).arg(period);
    return tr("dimension %1: a period of %2 positions holds %3 of the variance")
        .arg(dimension)
        .arg(period, percent(wave->share));
}

QString shiftErrorInWords(const PositionalShift& shift, int position) {
    const QString known = shift.fitted > 0 && position % 2 == 0 ? tr(" (fitted)") : QString();
    return tr("position %1 to %2: misses by %3 of its length%4")
        .arg(position)
        .arg(position + shift.offset)
        .arg(QString::number(shift.error[static_cast<std::size_t>(position)], 'g', 3), known);
}

QString whyNoShares(const trace::Run& run, PositionSide side) {
    const bool source = side == PositionSide::Source;
    if (source && std::holds_alternative<trace::SourceEmbeddings>(run.request.source))
        return tr("The source was given as vectors, which are fed as they are: what is word in them and what "
                  "is position cannot be told apart.");
    if (source ? run.sourcePositions.empty() : run.path.empty() || run.target.empty())
        return source ? tr("This model adds no positional vectors to its source.")
                      : tr("There is no target: nothing was decoded.");
    const auto& first = run.path.empty() ? nullptr : run.tree.node(run.path.front()).row;
    if (!source && (!first || first->position.empty()))
        return tr("This model adds no positional vectors to its target.");
    return run.complete ? QString() : tr("The sentence is still being decoded.");
}

} // namespace headscope::widgets
