#include "widgets/map_tones.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(MapTones)
};

/// Places in a matrix whose cells are coloured by one measure.
using Cells = std::vector<std::size_t>;

bool isOrdinary(const ShownMap& shown, std::size_t cell) {
    return shown.mask.values()[cell] && std::isfinite(shown.values.values()[cell]);
}

/// The cells of every query, or all of them together.
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

void scaleToLargest(std::vector<float>& values, const Cells& cells) {
    const double largest = largestMagnitude(values, cells);
    for (const std::size_t cell : cells)
        values[cell] = largest > 0 ? static_cast<float>(values[cell] / largest) : 0;
}

/// Equal values have equal ranks: the part of the others that are smaller.
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

} // namespace

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

QString tonesInWords(const MapOptions& options) {
    QStringList words;
    if (options.mapping == ColourMapping::Rank)
        words += options.colourPerRow
                     ? Words::tr("Colours are ranks: the part of the row's cells that are smaller.")
                     : Words::tr("Colours are ranks: the part of the map's cells that are smaller.");
    else if (options.colourPerRow)
        words += Words::tr("Colours count up to each row's own largest value: compare within rows only.");
    if (options.mapping == ColourMapping::Logarithmic)
        words += isSigned(options.quantity)
                     ? Words::tr("What has a sign is coloured linearly.")
                     : Words::tr("Logarithmic colours: %1 of the largest and less look like zero.")
                           .arg(ColourScale::logarithmicFloor, 0, 'g', 2);
    return words.join(' ');
}

} // namespace headscope::widgets
