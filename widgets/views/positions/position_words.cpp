#include "widgets/views/positions/position_words.h"

#include "widgets/drawing/shown_number.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <variant>

namespace headscope::widgets {

namespace {

using analysis::PositionalShift;
using Map = PositionalShift::Map;

struct PositionWords {
    Q_DECLARE_TR_FUNCTIONS(PositionWords)
};

QString sideName(PositionSide side) {
    return side == PositionSide::Source ? PositionWords::tr("source") : PositionWords::tr("target");
}

QString shiftPercent(double share) {
    return shownNumber(QStringLiteral("%1 %").arg(100 * share, 0, 'f', share < 0.1 ? 1 : 0));
}

QString howFitted(const PositionalShift& shift) {
    const QString fitted = PositionWords::tr("M is fitted by least squares on the %1 pairs with an even "
                                             "position. %2 on the %3 held-out pairs with an odd position.")
                               .arg(shift.fitted)
                               .arg(rSquaredText(shift))
                               .arg(shift.heldOut);
    if (shift.map == Map::Dimensions)
        return fitted;
    return fitted + QChar(' ') +
           PositionWords::tr("There are too few pairs for all dimensions: M covers the %1 leading "
                             "directions, which hold %2 of the vectors' squared norm.")
               .arg(shift.dimensions)
               .arg(shiftPercent(shift.variance));
}

QString howMapped(const PositionalShift& shift, const std::optional<PositionalShift>& fitted) {
    if (shift.map != Map::Rotation)
        return howFitted(shift);
    const QString turned =
        PositionWords::tr("The table is sinusoidal: each pair of dimensions is rotated by %1 times its "
                          "measured frequency; nothing is fitted. %2 over all %3 pairs of positions.")
            .arg(shift.offset)
            .arg(rSquaredText(shift))
            .arg(shift.heldOut);
    if (!fitted || fitted->map == Map::None)
        return turned;
    return turned + QChar(' ') + PositionWords::tr("For comparison, without this knowledge:") + QChar(' ') +
           howFitted(*fitted);
}

/// The errors, the positions used for the fit, and M.
void addShift(trace::FigureData& data, const analysis::PositionalShift& shift, const std::string& name) {
    data.arrays.push_back(dataArray(name + "relative_error", shift.error, {.name = "position"}));
    std::vector<double> fitted;
    for (std::size_t position = 0; position < shift.error.size(); ++position)
        fitted.push_back(shift.fitted > 0 && position % 2 == 0 ? 1 : 0);
    data.arrays.push_back(dataArray(name + "fitted", fitted, {.name = "position"}));
    data.arrays.push_back(dataArray(name + "map", trace::view(shift.matrix), nullptr,
                                    {.name = "later_dimension"}, {.name = "earlier_dimension"}));
}

/// Adds the share of each term in the variance of the scores: per row and per head (mean over rows), and per
/// head also by origin.
void addScoreShares(trace::FigureData& data, const trace::ScoreTerms& terms,
                    const std::vector<analysis::HeadScoreShares>& heads, std::size_t head) {
    trace::DataAxis names{.name = "term"};
    for (const auto& term : terms.terms)
        names.labels.push_back(termName(term).toStdString());
    const std::size_t queries = terms.scores.rows();
    if (queries <= trace::longestStoredMap) { // too slow for longer ones
        trace::DataArray rows{.name = "share_of_row",
                              .axes = {dataAxis("query", tokenLabels(terms.tokens)), names}};
        rows.shape = {queries, terms.terms.size()};
        for (std::size_t query = 0; query < queries; ++query) {
            const auto shares = analysis::rowShares(terms, head, query);
            for (std::size_t term = 0; term < terms.terms.size(); ++term)
                rows.values.push_back(shares ? (*shares)[term] : noNumber);
        }
        data.arrays.push_back(std::move(rows));
    }
    trace::DataArray means{.name = "share_of_head", .axes = {{.name = "head"}, names}};
    means.shape = {heads.size(), terms.terms.size()};
    std::vector<double> numbers, averaged;
    std::array<std::vector<double>, analysis::scoreOrigins> origins;
    for (std::size_t each = 0; each < heads.size(); ++each) {
        for (std::size_t term = 0; term < terms.terms.size(); ++term)
            means.values.push_back(heads[each].terms.empty() ? noNumber : heads[each].terms[term]);
        numbers.push_back(static_cast<double>(each));
        averaged.push_back(static_cast<double>(heads[each].rows));
        for (std::size_t origin = 0; origin < origins.size(); ++origin)
            origins[origin].push_back(heads[each].rows > 0 ? heads[each].origins[origin] : noNumber);
    }
    data.arrays.push_back(std::move(means));
    data.tables.push_back({.name = "heads",
                           .columns = {dataColumn("head", numbers), dataColumn("content", origins[0]),
                                       dataColumn("position", origins[1]), dataColumn("mixed", origins[2]),
                                       dataColumn("bias", origins[3]), dataColumn("rows", averaged)}});
}

} // namespace

QString rSquaredText(const PositionalShift& shift) {
    if (!shift.rSquared)
        return PositionWords::tr("R² undefined");
    return PositionWords::tr("R² %1").arg(numberText(*shift.rSquared));
}

QString rSquaredText(const PositionalShift& shift, const std::optional<PositionalShift>& fitted) {
    return fitted && fitted->rSquared ? PositionWords::tr("rotated: %1; fitted on half: %2")
                                            .arg(rSquaredText(shift), rSquaredText(*fitted))
                                      : rSquaredText(shift);
}

QString shiftMapTitle(const PositionalShift& shift) {
    return shift.map == Map::Rotation ? PositionWords::tr("M, exact rotation")
           : shift.map == Map::Directions
               ? PositionWords::tr("M, fitted in %1 directions").arg(shift.dimensions)
               : PositionWords::tr("M, fitted");
}

QString shiftCellInWords(float value, MapCell cell) {
    return PositionWords::tr(
               "M: weight of dimension %3 of the earlier position in dimension %1 of the later one: %2")
        .arg(cell.row)
        .arg(numberText(static_cast<double>(value)))
        .arg(cell.column);
}

QString wavelengthsCaption(const analysis::PositionalWavelengths& wavelengths, PositionSide side) {
    const QString start =
        PositionWords::tr(
            "Number of positions after which each dimension of the %1 vectors repeats, measured from its "
            "rotation in the first %2 positions of the table, not computed by a formula.")
            .arg(sideName(side))
            .arg(wavelengths.positions);
    if (wavelengths.layout)
        return start + QChar(' ') +
               (*wavelengths.layout == analysis::PairLayout::Interleaved
                    ? PositionWords::tr(
                          "The table is sinusoidal: sine and cosine of one frequency are adjacent.")
                    : PositionWords::tr("The table is sinusoidal: sines fill one half of the vector, cosines "
                                        "of the same frequencies the other."));
    const auto constant = std::ranges::count_if(wavelengths.dimensions, [](const auto& w) { return !w; });
    QString words =
        start + QChar(' ') +
        PositionWords::tr("The table is not sinusoidal: the points show the period with the largest share of "
                          "a dimension's variance (Fourier); hollow where that share is less than half.");
    if (constant > 0)
        words +=
            QChar(' ') + PositionWords::tr("Constant dimensions, which have no period: %1.").arg(constant);
    return words;
}

QString shiftCaption(const PositionalShift& shift, const std::optional<PositionalShift>& fitted,
                     PositionSide side) {
    if (shift.map == Map::None)
        return PositionWords::tr("A shift by %1 leaves %2 pairs of the %3 positions. Evaluation on held-out "
                                 "pairs needs at least 7: choose a smaller shift.")
            .arg(shift.offset)
            .arg(shift.fitted + shift.heldOut)
            .arg(shift.positions);
    const QString words =
        PositionWords::tr("Relative error of one linear map M from each %1 position to the one %2 later: |M "
                          "PE(pos) − PE(pos + %2)| / |PE(pos + %2)|. 1 is as bad as no map.")
            .arg(sideName(side))
            .arg(shift.offset);
    const bool anyFitted = shift.fitted > 0 || (fitted && fitted->fitted > 0);
    const QString hollow =
        anyFitted ? QChar(' ') + PositionWords::tr("Hollow: fitted positions.") : QString();
    return words + QChar(' ') + howMapped(shift, fitted) + hollow + QChar(' ') +
           PositionWords::tr("Below: M, with a row for each dimension of the later position and a column for "
                             "each of the earlier one.");
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
        PositionWords::tr("The input of the first %1 layer is the scaled word vector w plus the position "
                          "vector p of each token. The shares <w, w + p> / |w + p|² and <p, w + p> / |w + "
                          "p|² add up to 1; a negative share points away from the sum.")
            .arg(side == PositionSide::Source ? PositionWords::tr("encoder") : PositionWords::tr("decoder"));
    if (counted > 0)
        words += QChar(' ') + PositionWords::tr("Mean share of the position: %1 (%2 tokens).")
                                  .arg(numberText(position / counted))
                                  .arg(counted);
    return words;
}

QString wavelengthInWords(const analysis::PositionalWavelengths& wavelengths, int dimension) {
    const auto& wave = wavelengths.dimensions[dimension];
    if (!wave)
        return PositionWords::tr("dimension %1 is constant").arg(dimension);
    const QString period = QString::number(wave->positions, 'g', 5);
    if (wavelengths.layout)
        return PositionWords::tr("dimension %1: a wave of %2 positions").arg(dimension).arg(period);
    return PositionWords::tr("dimension %1: a period of %2 positions holds %3 of the variance")
        .arg(dimension)
        .arg(period, shiftPercent(wave->share));
}

QString shiftErrorInWords(const PositionalShift& shift, int position) {
    const QString known = shift.fitted > 0 && position % 2 == 0 ? PositionWords::tr(" (fitted)") : QString();
    return PositionWords::tr("position %1 to %2: error %3 of its norm%4")
        .arg(position)
        .arg(position + shift.offset)
        .arg(QString::number(shift.error[position], 'g', 3), known);
}

QString dimensionsInWords(const std::vector<int>& shown, std::size_t all) {
    QStringList numbers;
    for (const int dimension : shown)
        numbers += QString::number(dimension);
    return PositionWords::tr("%1 of the %2 dimensions (%3) of the vectors")
        .arg(QString::number(shown.size()), QString::number(all), numbers.join(QStringLiteral(", ")));
}

QString positionsInShort(const trace::ModelSummary& model, const analysis::PositionOrigin* origin,
                         PositionSide side) {
    using Kind = analysis::PositionOrigin::Kind;
    if (!model.rotation.empty())
        return PositionWords::tr("Queries and keys of self-attention are rotated by position");
    if (model.positionKind == trace::PositionKind::DistanceBias)
        return model.sourcePositions
                   ? PositionWords::tr("Vectors, added to the embeddings, and a number per head and "
                                       "distance, added to the scores")
                   : PositionWords::tr("A number per head and distance, added to the scores");
    if (model.positionKind == trace::PositionKind::Disentangled)
        return PositionWords::tr("Learned vectors of distances, which score queries and keys");
    if (!origin)
        return PositionWords::tr("No positional vectors on the %1 side").arg(sideName(side));
    if (origin->kind == Kind::Learned)
        return PositionWords::tr("Learned vectors, added to the embeddings");
    return origin->kind == Kind::Sinusoids
               ? PositionWords::tr("Sinusoids that match no base, added to the embeddings")
               : PositionWords::tr("Sinusoids of base %1, added to the embeddings")
                     .arg(QLocale().toString(origin->base, 'f', 0));
}

std::vector<int> nearestWavelengths(const std::vector<double>& lengths, const QString& typed) {
    bool isNumber = false;
    const double wanted = QLocale().toDouble(typed.trimmed(), &isNumber);
    if (!isNumber || !(wanted > 0) || !std::isfinite(wanted))
        return {};
    constexpr double equal = 1e-6;
    std::vector<int> nearest;
    double least = INFINITY;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const double away = lengths[i] > 0 ? std::abs(std::log(lengths[i] / wanted)) : INFINITY;
        if (!std::isfinite(away) || away > least + equal)
            continue;
        if (away < least - equal)
            nearest.clear();
        least = std::min(least, away);
        nearest.push_back(i);
    }
    return nearest;
}

QString originInWords(const trace::ModelSummary& model, const analysis::PositionOrigin& origin) {
    using Kind = analysis::PositionOrigin::Kind;
    const bool isStored = model.property("positions") == "table";
    if (origin.kind == Kind::Learned)
        return PositionWords::tr(
            "Not sinusoidal, for example learned: some dimensions do not rotate in pairs.");
    if (origin.kind == Kind::Sinusoids)
        return PositionWords::tr("Sinusoidal, but with wavelengths that match no base of the formula.");
    const QString same =
        PositionWords::tr("equals the sinusoids of base %1 to %2")
            .arg(QString::number(origin.base, 'g', 6), QString::number(origin.difference, 'g', 2));
    return isStored ? PositionWords::tr("The table is stored with the weights and %1.").arg(same)
                    : PositionWords::tr("The table %1.").arg(same);
}

QString jumpInWords(const analysis::LengthJump& jump) {
    return PositionWords::tr("The norms of the vectors jump at position %1, from a mean of %2 before it to "
                             "%3 after it, as if training used only the earlier positions.")
        .arg(jump.row)
        .arg(QString::number(jump.before, 'g', 3), QString::number(jump.after, 'g', 3));
}

QString distanceCaption(const trace::ModelSummary& model, PositionSide side, bool asTable) {
    const bool source = side == PositionSide::Source;
    const auto& bias = source ? *model.encoderBias : *model.decoderBias;
    const int buckets = 1 + *std::ranges::max_element(bias.buckets);
    const bool isLearned = buckets < std::ssize(bias.buckets); // formulas need no buckets
    const QString drawn =
        asTable ? PositionWords::tr("Distances down (key position − query position), heads across: what each "
                                    "head adds to the scores of %1 self-attention.")
                : PositionWords::tr("What each head adds to the scores of %1 self-attention at each distance "
                                    "(key position − query position).");
    QString words =
        drawn.arg(source ? PositionWords::tr("encoder") : PositionWords::tr("decoder")) + QChar(' ') +
        (isLearned
             ? PositionWords::tr(
                   "Learned: one number per head and bucket of distances (%1 buckets, as in T5, Raffel et "
                   "al. "
                   "2020); the last bucket contains all larger distances. No vector is added, and "
                   "cross-attention has no distance bias.")
                   .arg(buckets)
             : PositionWords::tr("Not learned: each head subtracts its own slope times the distance (ALiBi, "
                                 "Press et al. 2022). No vector is added.")) +
        QChar(' ') +
        (bias.layers > 1 ? PositionWords::tr("Every layer has its own numbers; these are from layer 0.")
                         : PositionWords::tr("The numbers are the same in all layers of the stack."));
    return source ? words : words + QChar(' ') + PositionWords::tr("Later keys are masked.");
}

QString rotationCaption(const trace::ModelSummary& model) {
    return PositionWords::tr(
               "No vector is added: self-attention rotates each head's queries and keys by their position "
               "(Su et al. 2021). The points show after how many positions each of the %1 pairs of "
               "dimensions, %2, completes a turn. Each pair adds |q||k| cos(angle between them + "
               "(query position − key position) · its frequency) to q·k, so scores depend on the distance of "
               "query and key only. Cross-attention is not rotated.")
        .arg(model.rotation.size())
        .arg(model.rotatesInterleaved() ? PositionWords::tr("2m and 2m + 1")
                                        : PositionWords::tr("m and m + %1").arg(model.rotation.size()));
}

QString rotationInWords(const std::vector<double>& rotation, bool interleaved, int pair) {
    const double radians = rotation[pair];
    return PositionWords::tr(
               "pair %1, dimensions %2 and %3: full turn after %4 positions, %5 radians per position")
        .arg(pair)
        .arg(interleaved ? 2 * pair : pair)
        .arg(interleaved ? 2 * pair + 1 : pair + static_cast<int>(rotation.size()))
        .arg(QString::number(2 * std::numbers::pi / radians, 'g', 5), QString::number(radians, 'g', 4));
}

QString whyNoVectors(const trace::ModelSummary& model, PositionSide side) {
    const bool source = side == PositionSide::Source;
    if (model.recorded && model.positionKind <= trace::PositionKind::Added)
        return (source ? PositionWords::tr("This trace contains no positional vectors of its source.")
                       : PositionWords::tr("This trace contains no positional vectors of its target.")) +
               QChar(' ') +
               PositionWords::tr("If the model adds positional vectors, record them with headscope-cli trace "
                                 "--out FILE.safetensors.");
    switch (model.positionKind) {
    case trace::PositionKind::DistanceBias:
        if (model.sourcePositions)
            return PositionWords::tr("This model adds positional vectors to its embeddings, and a learned "
                                     "number to each score of self-attention, per head and distance. This "
                                     "view shows the numbers: see Curves and Table.");
        return PositionWords::tr("This model adds no positional vectors: it adds a number to each "
                                 "score of self-attention, per head and distance. See Curves and Table.");
    case trace::PositionKind::Rotation:
        return PositionWords::tr("This model adds no positional vectors: it rotates queries and keys of "
                                 "self-attention by position. See Wavelengths.");
    case trace::PositionKind::Disentangled:
        return PositionWords::tr(
            "This model adds no positional vectors: it has learned vectors of distances, "
            "which score queries and keys. See Scores.");
    case trace::PositionKind::None:
    case trace::PositionKind::Added:
        break;
    }
    return source ? PositionWords::tr("This model adds no positional vectors to its source.")
                  : PositionWords::tr("This model adds no positional vectors to its target.");
}

bool placesChanged(const trace::Run& run) {
    return std::ranges::any_of(trace::effective(run.request.interventions), [](const trace::Change& change) {
        const auto* positions = std::get_if<trace::ChangePositions>(&change);
        return positions && positions->change != trace::PositionChange::Shift;
    });
}

QString whyNoTerms(const trace::Run& run, PositionSide side) {
    const bool distance = run.model && (run.model->positionKind == trace::PositionKind::DistanceBias ||
                                        run.model->positionKind == trace::PositionKind::Disentangled);
    if (!distance)
        return whyNoShares(run, side);
    if (side == PositionSide::Target && run.target.empty())
        return PositionWords::tr("There is no target: nothing has been decoded.");
    return run.complete ? QString() : PositionWords::tr("The sentence is still being decoded.");
}

QString whyNoShares(const trace::Run& run, PositionSide side) {
    static const trace::ModelSummary unknown;
    const auto& model = run.model ? *run.model : unknown;
    const bool source = side == PositionSide::Source;
    if (model.positionKind != trace::PositionKind::Added)
        return whyNoVectors(model, side);
    if (source && std::holds_alternative<trace::SourceEmbeddings>(run.request.source))
        return PositionWords::tr(
            "The source was given as vectors and is fed unchanged: word and position cannot be separated.");
    if (source ? run.sourcePositions.empty() : run.path.empty() || run.target.empty())
        return source ? whyNoVectors(model, side)
                      : PositionWords::tr("There is no target: nothing has been decoded.");
    const auto& first = run.path.empty() ? nullptr : run.tree.node(run.path.front()).row;
    if (!source && (!first || first->position.empty()))
        return whyNoVectors(model, side);
    return run.complete ? QString() : PositionWords::tr("The sentence is still being decoded.");
}

trace::DataAxis positionAxis(std::string name, int first, std::size_t count) {
    trace::DataAxis axis{.name = std::move(name)};
    for (std::size_t i = 0; first != 0 && i < count; ++i)
        axis.labels.push_back(std::to_string(first + static_cast<int>(i)));
    return axis;
}

trace::FigureData shareData(const TokenShares& shares) {
    using Share = analysis::EmbeddingShare;
    const auto& embedding = shares.embedding;
    trace::Matrix words = embedding.sums;
    for (std::size_t token = 0; token < words.rows(); ++token)
        for (std::size_t i = 0; i < words.columns(); ++i)
            words(token, i) -= embedding.positions(token, i);
    const auto down = dataAxis("token", tokenLabels(shares.tokens));
    const auto vectors = [&](const char* name, const trace::Matrix& values) {
        return dataArray(name, trace::view(values), nullptr, down, {.name = "dimension"});
    };
    return {.arrays = {vectors("word_vector", words), vectors("position_vector", embedding.positions),
                       vectors("sum_vector", embedding.sums)},
            .tables = {{.name = "shares",
                        .columns = {dataColumn("token", shares.tokens,
                                               [](const auto& token) { return tokenLabel(token).full(); }),
                                    dataColumn("word", shares.shares, &Share::word),
                                    dataColumn("position", shares.shares, &Share::position),
                                    dataColumn("word_length", shares.shares, &Share::wordLength),
                                    dataColumn("position_length", shares.shares, &Share::positionLength)}}}};
}

trace::FigureData wavelengthData(const analysis::PositionalWavelengths& measured) {
    std::vector<double> lengths, shares;
    for (const auto& wave : measured.dimensions) {
        lengths.push_back(wave ? wave->positions : noNumber);
        shares.push_back(wave ? wave->share : noNumber);
    }
    return {.arrays = {dataArray("wavelength", lengths, {.name = "dimension"}),
                       dataArray("share_of_variance", shares, {.name = "dimension"})}};
}

trace::FigureData shiftData(const PositionAnswer& known) {
    trace::FigureData data;
    QStringList maps;
    std::array<std::vector<double>, 6> numbers;
    const auto add = [&](const analysis::PositionalShift& shift, const std::string& name) {
        addShift(data, shift, name);
        maps += shift.map == analysis::PositionalShift::Map::Rotation ? "rotation" : "least squares";
        const auto put = [&](std::size_t column, double number) { numbers[column].push_back(number); };
        put(0, shift.offset);
        put(1, shift.rSquared.value_or(noNumber));
        put(2, static_cast<double>(shift.fitted));
        put(3, static_cast<double>(shift.heldOut));
        put(4, static_cast<double>(shift.dimensions));
        put(5, shift.variance);
    };
    add(known.shift, "");
    if (known.fittedShift && known.fittedShift->map != analysis::PositionalShift::Map::None)
        add(*known.fittedShift, "least_squares_");
    trace::DataTable table{.name = "shift", .columns = {dataColumn("map", maps)}};
    const std::array titles{"offset",         "r_squared",  "pairs_fitted",
                            "pairs_held_out", "dimensions", "variance"};
    for (std::size_t column = 0; column < titles.size(); ++column)
        table.columns.push_back(dataColumn(titles[column], numbers[column]));
    data.tables.push_back(std::move(table));
    return data;
}

trace::FigureData termData(const trace::ScoreTerms& terms,
                           const std::vector<analysis::HeadScoreShares>& heads, std::size_t head,
                           const HeadTerms* centred) {
    const auto queries = dataAxis("query", tokenLabels(terms.tokens));
    const auto keys = dataAxis("key", tokenLabels(terms.tokens));
    trace::FigureData data;
    const auto add = [&](const std::string& name, trace::MatrixView values) {
        data.arrays.push_back(dataArray(name, values, &terms.mask, queries, keys));
    };
    const auto nameOf = [&](std::size_t term) { return termName(terms.terms[term]).toStdString(); };
    if (centred)
        add("scores_centred", trace::view(centred->scores));
    for (std::size_t term = 0; centred && term < terms.terms.size(); ++term)
        add(nameOf(term) + "_centred", trace::view(centred->terms[term]));
    add("scores", terms.scores.head(head));
    for (std::size_t term = 0; term < terms.terms.size(); ++term)
        add(nameOf(term), terms.terms[term].values.head(head));
    addScoreShares(data, terms, heads, head);
    return data;
}

trace::DataArray tableData(const trace::Matrix& all, std::size_t rows, const std::vector<int>& columns,
                           trace::DataAxis down, const char* across) {
    trace::DataArray array{.name = "positions", .axes = {std::move(down), {.name = across}}};
    array.shape = {rows, columns.size()};
    for (const int column : columns)
        array.axes[1].labels.push_back(std::to_string(column));
    for (std::size_t row = 0; row < rows; ++row)
        for (const int column : columns)
            array.values.push_back(all(row, column));
    return array;
}

} // namespace headscope::widgets
