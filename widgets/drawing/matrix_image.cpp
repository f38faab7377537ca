#include "widgets/drawing/matrix_image.h"

#include "model/trace/vectorised.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>

namespace headscope::widgets {

namespace {

struct Span { // the cells [first, last) that a pixel covers
    std::size_t first = 0;
    std::size_t last = 0;
    friend bool operator==(const Span&, const Span&) = default;
};

/// Returns the cells covered by each of `pixels` equal parts of [begin, end).
std::vector<Span> touchedCells(double begin, double end, int pixels, std::size_t cells) {
    std::vector<Span> spans;
    const double step = (end - begin) / pixels;
    for (int p = 0; p < pixels; ++p) {
        // Pixels finer than a cell sample their centre only, so that cell edges fall on whole pixels.
        const bool finer = step <= 1;
        const double from = begin + step * (finer ? p + 0.5 : p);
        const double to = finer ? from : begin + step * (p + 1);
        const auto first = std::min(static_cast<std::size_t>(std::max(0.0, std::floor(from))), cells - 1);
        const auto last = static_cast<std::size_t>(std::max(0.0, std::ceil(to - 1e-9)));
        spans.push_back({first, std::clamp(last, first + 1, cells)});
    }
    return spans;
}

/// Pools a row of cells into a row of pixels. For up to three cells per pixel, joining two precomputed
/// results for pairs of neighbours suffices. That needs no branches, which matters because a large map is
/// pooled for every frame of a zoom.
template <class Value, auto join>
class LinePool {
  public:
    LinePool(const std::vector<Span>& across) : first_(across.front().first) {
        const std::size_t count = across.back().last - first_;
        cells_.resize(2 * count); // the cells, then each joined with its right neighbour
        for (const auto& [first, last] : across) {
            const std::size_t alone = first - first_;
            const std::size_t pair = count + alone;
            wide_ = wide_ || last - first > 3;
            reads_.push_back(last - first == 1 ? std::pair(alone, alone)
                                               : std::pair(pair, pair + (last - first - 2)));
        }
    }

    /// Cells from firstColumn() on, to be filled before pool().
    std::span<Value> cells() { return std::span(cells_).first(cells_.size() / 2); }
    std::size_t firstColumn() const { return first_; }

    void pool(std::vector<Value>& pixels) {
        const std::size_t count = cells_.size() / 2;
        Value* pairs = cells_.data() + count;
        const Value* cells = cells_.data();
        for (std::size_t c = 0; c + 1 < count; ++c)
            pairs[c] = join(cells[c], cells[c + 1]);
        for (std::size_t x = 0; x < reads_.size(); ++x)
            pixels[x] = join(cells_[reads_[x].first], cells_[reads_[x].second]);
        for (std::size_t x = 0; wide_ && x < reads_.size(); ++x)
            for (std::size_t c = reads_[x].first; c < reads_[x].second; ++c)
                pixels[x] = join(pixels[x], cells_[c]);
    }

  private:
    std::size_t first_;
    std::vector<Value> cells_;
    std::vector<std::pair<std::size_t, std::size_t>> reads_; ///< for each pixel, indices into cells_
    bool wide_ = false;                                      ///< some pixel covers more than three cells
};

/// Returns `nothing` for a masked cell. Branch-free.
float ifOpen(float value, std::uint8_t open, float nothing) {
    const std::int32_t kept = -static_cast<std::int32_t>(open != 0); // all bits or none
    return std::bit_cast<float>((std::bit_cast<std::int32_t>(value) & kept) |
                                (std::bit_cast<std::int32_t>(nothing) & ~kept));
}

constexpr std::bit_or<std::uint8_t> either;
constexpr float leastOfAll = -std::numeric_limits<float>::infinity();

} // namespace

/// Joins a row into `cells`. Most of the time of a zoom frame is spent in these loops.
HEADSCOPE_VECTORISED(void, joinExtremes, (const float* row, std::size_t count, float* cells),
                     (row, count, cells)) {
    for (std::size_t c = 0; c < count; ++c)
        cells[c] = moreExtreme(cells[c], row[c]);
}

HEADSCOPE_VECTORISED(void, joinLargest, (const float* row, std::size_t count, float* cells),
                     (row, count, cells)) {
    for (std::size_t c = 0; c < count; ++c)
        cells[c] = larger(cells[c], row[c]);
}

/// The same, ignoring masked cells.
HEADSCOPE_VECTORISED(void, joinOpenExtremes,
                     (const float* row, const std::uint8_t* openRow, std::size_t count, float* cells),
                     (row, openRow, count, cells)) {
    for (std::size_t c = 0; c < count; ++c)
        cells[c] = moreExtreme(cells[c], ifOpen(row[c], openRow[c], 0));
}

HEADSCOPE_VECTORISED(void, joinOpenLargest,
                     (const float* row, const std::uint8_t* openRow, std::size_t count, float* cells),
                     (row, openRow, count, cells)) {
    for (std::size_t c = 0; c < count; ++c)
        cells[c] = larger(cells[c], ifOpen(row[c], openRow[c], leastOfAll));
}

namespace {

/// Operations of each pooling, and `nothing`, its neutral element.
struct Extremes {
    static constexpr float nothing = 0;
    static float join(float one, float other) { return moreExtreme(one, other); }
    static constexpr auto joinRow = joinExtremes;
    static constexpr auto joinOpenRow = joinOpenExtremes;
};
struct Maxima {
    static constexpr float nothing = leastOfAll;
    static float join(float one, float other) { return larger(one, other); }
    static constexpr auto joinRow = joinLargest;
    static constexpr auto joinOpenRow = joinOpenLargest;
};

/// The pixels of one line, pooled from the rows of cells it covers.
template <class How>
class MatrixImageLine {
  public:
    explicit MatrixImageLine(const std::vector<Span>& across)
        : values_(across), open_(across), shown_(across.size()), isOpen_(across.size(), 1) {}

    /// `mask` may be null.
    void show(trace::MatrixView values, const trace::MaskMatrix* mask, const Span& rows) {
        const auto cells = values_.cells();
        const auto open = open_.cells();
        std::ranges::fill(cells, How::nothing);
        std::ranges::fill(open, std::uint8_t{0});
        for (std::size_t r = rows.first; r < rows.last; ++r) {
            const auto row = values.row(r).subspan(values_.firstColumn(), cells.size());
            if (!mask) {
                How::joinRow(row.data(), cells.size(), cells.data());
                continue;
            }
            const auto openRow = mask->row(r).subspan(values_.firstColumn(), cells.size());
            How::joinOpenRow(row.data(), openRow.data(), cells.size(), cells.data());
            std::ranges::transform(open, openRow, open.begin(), either);
        }
        values_.pool(shown_);
        if (mask)
            open_.pool(isOpen_);
    }

    const std::vector<float>& values() const { return shown_; }
    const std::vector<std::uint8_t>& open() const { return isOpen_; }

  private:
    LinePool<float, How::join> values_;
    LinePool<std::uint8_t, either> open_;
    std::vector<float> shown_;
    std::vector<std::uint8_t> isOpen_;
};

void drawLine(QImage& image, int y, const std::vector<QRgb>& colours, const std::vector<std::uint8_t>& open,
              QRgb hatch, QRgb background) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (std::size_t x = 0; x < colours.size(); ++x)
        line[x] = open[x] ? colours[x] : (x + y) % 6 == 0 ? hatch : background;
}

/// Joins a row of cells into a row of half as many; masked cells are ignored. Branch-free, because a large
/// map is pooled while the user waits.
template <class How, bool masked>
void halve(std::span<const float> cells, const std::uint8_t* mask, float* pooled, std::uint8_t* open) {
    const auto add = [&](std::size_t x, std::size_t c) {
        if constexpr (masked)
            open[x] |= mask[c];
        pooled[x] = How::join(pooled[x], masked && !mask[c] ? How::nothing : cells[c]);
    };
    const std::size_t pairs = cells.size() / 2;
    for (std::size_t x = 0; x < pairs; ++x) {
        add(x, 2 * x);
        add(x, 2 * x + 1);
    }
    if (cells.size() % 2 == 1)
        add(pairs, cells.size() - 1);
}

/// Halves rows and columns.
template <class How>
void halveAll(trace::MatrixView finer, const trace::MaskMatrix* mask, trace::Matrix& values,
              trace::MaskMatrix& open) {
    const std::size_t columns = values.columns();
    std::ranges::fill(values.values(), How::nothing);
    for (std::size_t r = 0; r < finer.rows(); ++r) {
        float* pooled = values.values().data() + r / 2 * columns;
        mask ? halve<How, true>(finer.row(r), mask->row(r).data(), pooled, &open(r / 2, 0))
             : halve<How, false>(finer.row(r), nullptr, pooled, nullptr);
    }
}

struct Cut {
    trace::MatrixView values;
    const trace::MaskMatrix* mask = nullptr;
    std::vector<Span> down;
    std::vector<Span> across;
};

template <class How>
void drawPooled(QImage& image, const Cut& cut, const ColourScale& scale, QRgb hatch, QRgb background) {
    MatrixImageLine<How> shown(cut.across);
    std::vector<QRgb> colours(cut.across.size());
    for (int y = 0; y < image.height(); ++y) {
        const Span& rows = cut.down[y];
        // If pixels are finer than cells, most lines repeat the previous one.
        if (y == 0 || rows != cut.down[y - 1]) {
            shown.show(cut.values, cut.mask, rows);
            scale.colours(shown.values(), colours.data());
        }
        drawLine(image, y, colours, shown.open(), hatch, background);
    }
}

} // namespace

QImage matrixImage(trace::MatrixView values, const ColourScale& scale) {
    if (values.empty())
        return {};
    QImage image(values.columns(), values.rows(), QImage::Format_RGB32);
    for (std::size_t r = 0; r < values.rows(); ++r) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(r));
        std::ranges::transform(values.row(r), line, [&](float value) { return scale.colour(value); });
    }
    return image;
}

QImage pooledImage(trace::MatrixView values, const trace::MaskMatrix* mask, const QRectF& window,
                   QSize pixels, const ColourScale& scale, QRgb hatch, QRgb background, Pooling pooling) {
    if (values.empty() || pixels.isEmpty() || window.isEmpty())
        return {};
    const Cut cut{.values = values,
                  .mask = mask,
                  .down = touchedCells(window.top(), window.bottom(), pixels.height(), values.rows()),
                  .across = touchedCells(window.left(), window.right(), pixels.width(), values.columns())};
    QImage image(pixels, QImage::Format_RGB32);
    if (pooling == Pooling::Largest)
        drawPooled<Maxima>(image, cut, scale, hatch, background);
    else
        drawPooled<Extremes>(image, cut, scale, hatch, background);
    return image;
}

MatrixPyramid::MatrixPyramid(trace::MatrixView values, const trace::MaskMatrix* mask, Pooling pooling)
    : values_(values),
      mask_(mask && std::ranges::find(mask->values(), std::uint8_t{0}) != mask->values().end() ? mask
                                                                                               : nullptr),
      pooling_(pooling) {
    // Up to 64 cells a side, a coarser level saves nothing.
    for (trace::MatrixView finer = values; finer.rows() > 64 && finer.columns() > 64;
         finer = trace::view(coarser_.back().values)) {
        const trace::MaskMatrix* open = coarser_.empty() ? mask_ : &coarser_.back().open;
        const std::size_t rows = (finer.rows() + 1) / 2;
        const std::size_t columns = (finer.columns() + 1) / 2;
        Level level{trace::Matrix(rows, columns), trace::MaskMatrix(rows, columns, open ? 0 : 1)};
        if (pooling == Pooling::Largest)
            halveAll<Maxima>(finer, open, level.values, level.open);
        else
            halveAll<Extremes>(finer, open, level.values, level.open);
        coarser_.push_back(std::move(level));
    }
}

QImage MatrixPyramid::image(const QRectF& window, QSize pixels, const ColourScale& scale, QRgb hatch,
                            QRgb background) const {
    if (pixels.isEmpty())
        return {};
    const double cellsAPixel = std::min(window.width() / pixels.width(), window.height() / pixels.height());
    std::size_t level = 0;
    while (level < coarser_.size() && std::ldexp(1.0, level + 1) <= cellsAPixel)
        ++level;
    if (level == 0)
        return pooledImage(values_, mask_, window, pixels, scale, hatch, background, pooling_);
    const Level& coarse = coarser_[level - 1];
    const double size = std::ldexp(1.0, level);
    const QRectF scaled(window.topLeft() / size, window.size() / size);
    return pooledImage(trace::view(coarse.values), mask_ ? &coarse.open : nullptr, scaled, pixels, scale,
                       hatch, background, pooling_);
}

} // namespace headscope::widgets
