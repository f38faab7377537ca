#include "widgets/map/map_tones.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct MapTonesWords {
    Q_DECLARE_TR_FUNCTIONS(MapTones)
};

/// Indices of cells that are scaled together.
using Cells = std::vector<std::size_t>;

bool isOrdinary(const ShownMap& shown, std::size_t cell) {
    return shown.mask.values()[cell] && std::isfinite(shown.values.values()[cell]);
}

/// Returns the cells per query, or all cells.
std::vector<Cells> groups(const ShownMap& shown, bool perRow) {
    const std::size_t columns = shown.values.columns();
    std::vector<Cells> groups(!perRow ? 1 : shown.transposed ? columns : shown.values.rows());
    for (std::size_t cell = 0; cell < shown.values.values().size(); ++cell)
        if (isOrdinary(shown, cell))
            groups[!perRow ? 0 : shown.transposed ? cell % columns : cell / columns].push_back(cell);
    return groups;
}

double largestMagnitude(const std::vector<float>& values, const Cells& cells) {
    double largest = 0;
    for (const std::size_t cell : cells)
        largest = std::max(largest, std::abs(static_cast<double>(values[cell])));
    return largest;
}

double largestOrdinary(const ShownMap& shown) {
    double largest = 0;
    for (std::size_t cell = 0; cell < shown.values.values().size(); ++cell)
        if (isOrdinary(shown, cell))
            largest = std::max(largest, std::abs(static_cast<double>(shown.values.values()[cell])));
    return largest;
}

/// Returns the largest allowed weight per query, of a uniform sample of the queries if there are many.
std::vector<double> largestOfQueries(const ShownMap& shown) {
    constexpr std::size_t most = 512;
    const std::size_t columns = shown.values.columns();
    const std::size_t queries = shown.transposed ? columns : shown.values.rows();
    const std::size_t keys = shown.transposed ? shown.values.rows() : columns;
    const std::size_t every = std::max<std::size_t>(1, queries / most);
    std::vector<double> largest;
    for (std::size_t query = 0; query < queries; query += every) {
        std::optional<double> found; // nothing if no key is allowed
        for (std::size_t key = 0; key < keys; ++key)
            if (const auto cell = shown.transposed ? key * columns + query : query * columns + key;
                isOrdinary(shown, cell))
                found = std::max(found.value_or(0), static_cast<double>(shown.values.values()[cell]));
        if (found)
            largest.push_back(*found);
    }
    return largest;
}

/// Returns the end of a scale for weights up to `largest`: the next number with one significant digit, and 1
/// from 0.5 on. Values above 1 are not weights.
double roundLimit(double largest) {
    constexpr double half = 0.5, hair = 1e-6; // rounding of floats
    constexpr double deviation = 1e-5;        // allowed by the self-check
    if (largest <= 0)
        return 1;
    const double unit = std::pow(10, std::floor(std::log10(largest)));
    const double limit = std::ceil(largest / unit - hair) * unit;
    return limit > half + hair && largest <= 1 + deviation ? 1 : limit;
}

void scaleToLargest(std::vector<float>& values, const Cells& cells) {
    const double largest = largestMagnitude(values, cells);
    for (const std::size_t cell : cells)
        values[cell] = largest > 0 ? static_cast<float>(values[cell] / largest) : 0;
}

/// A rank is the fraction of smaller values; equal values have equal ranks.
void rank(std::vector<float>& values, Cells cells) {
    const auto magnitude = [&](std::size_t cell) { return std::abs(values[cell]); };
    std::ranges::sort(cells, {}, magnitude);
    const double others = std::max<double>(1, static_cast<double>(cells.size()) - 1);
    std::vector<float> ranks;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool tied = i > 0 && magnitude(cells[i]) == magnitude(cells[i - 1]);
        ranks.push_back(tied ? ranks.back() : static_cast<float>(static_cast<double>(i) / others));
    }
    for (std::size_t i = 0; i < cells.size(); ++i)
        values[cells[i]] = std::copysign(ranks[i], values[cells[i]]);
}

void showFaintWeights(MapTones& tones, const ShownMap& shown) {
    auto largest = largestOfQueries(shown);
    if (largest.empty())
        return;
    const auto& spans = shown.queries.spans;
    tones.limit =
        limitOfWeights(shown.kind, spans.empty() ? 0 : spans.back().last, std::ranges::max(largest));
    const auto middle = largest.begin() + static_cast<std::ptrdiff_t>(largest.size() / 2);
    std::ranges::nth_element(largest, middle);
    tones.usualLargest = *middle;
}

} // namespace

/// Weights of a long text are small and would be invisible on a scale up to 1. The scale of maps that grow
/// while decoding, or that are only partly known, stays at 1.
bool endsAtLargest(trace::AttentionKind kind, std::size_t queries) {
    constexpr std::size_t longest = 512; // longest map that is stored completely
    return kind == trace::AttentionKind::EncoderSelf && queries <= longest;
}

double limitOfWeights(trace::AttentionKind kind, std::size_t queries, double largest) {
    return endsAtLargest(kind, queries) ? roundLimit(largest) : std::max(1.0, roundLimit(largest));
}

ColourScale MapTones::scale(bool dark) const {
    return diverging ? ColourScale::diverging(limit, dark) : ColourScale::sequential(0, limit, mapping, dark);
}

MapTones mapTones(const ShownMap& shown, const MapOptions& options) {
    MapTones tones{.diverging = isSigned(options.quantity),
                   .mapping = isSigned(options.quantity) && options.mapping == ColourMapping::Logarithmic
                                  ? ColourMapping::Linear
                                  : options.mapping};
    if (!options.colourPerRow && options.mapping != ColourMapping::Rank) {
        if (options.quantity != Quantity::Weights)
            tones.limit = largestOrdinary(shown);
        else if (options.mapping == ColourMapping::Linear && !shown.empty())
            showFaintWeights(tones, shown);
        else
            tones.limit = std::max(1.0, roundLimit(largestOrdinary(shown)));
        return tones;
    }
    tones.values = shown.values;
    auto& values = tones.values.values();
    for (const Cells& cells : groups(shown, options.colourPerRow)) {
        if (options.mapping == ColourMapping::Rank)
            rank(values, cells);
        else
            scaleToLargest(values, cells);
    }
    return tones;
}

QString tonesInWords(const MapOptions& options, const MapTones& tones) {
    constexpr double faint = 0.2; // of the scale
    QStringList words;
    if (options.quantity == Quantity::Weights && tones.usualLargest && tones.limit < 1)
        words += MapTonesWords::tr("Colours end at %1: no weight is larger.").arg(tones.limit);
    if (options.quantity == Quantity::Weights && tones.usualLargest &&
        *tones.usualLargest <= faint * tones.limit)
        words +=
            MapTonesWords::tr(
                "Weak weights: at most %1 in half of the rows. Use logarithmic colours or colours per row.")
                .arg(*tones.usualLargest, 0, 'g', 2);
    if (options.mapping == ColourMapping::Rank)
        words += options.colourPerRow
                     ? MapTonesWords::tr("Colours are ranks: the share of smaller cells in the row.")
                     : MapTonesWords::tr("Colours are ranks: the share of smaller cells in the map.");
    else if (options.colourPerRow)
        words += MapTonesWords::tr("Each row has its own colour scale: compare within rows only.");
    if (options.mapping == ColourMapping::Logarithmic)
        words += isSigned(options.quantity)
                     ? MapTonesWords::tr("Signed values are coloured linearly.")
                     : MapTonesWords::tr("Logarithmic colours: %1 of the largest and less look like zero.")
                           .arg(ColourScale::logarithmicFloor, 0, 'g', 2);
    return words.join(' ');
}

} // namespace headscope::widgets
