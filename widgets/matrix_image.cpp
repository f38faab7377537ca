#include "widgets/matrix_image.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace headscope::widgets {

float moreExtreme(float one, float other) {
    // Without their sign, the bits of floating-point numbers are ordered as their magnitudes are, NaN above
    // all.
    const auto magnitude = [](float value) { return std::bit_cast<std::uint32_t>(value) & 0x7fffffffU; };
    return magnitude(other) > magnitude(one) ? other : one;
}

namespace {

/// The cells [first, last) that one pixel touches.
struct Span {
    std::size_t first = 0;
    std::size_t last = 0;
    friend bool operator==(const Span&, const Span&) = default;
};

/// Cells that each of `pixels` equal parts of [begin, end) touches.
std::vector<Span> touchedCells(double begin, double end, int pixels, std::size_t cells) {
    std::vector<Span> spans;
    const double step = (end - begin) / pixels;
    for (int p = 0; p < pixels; ++p) {
        // Pixels finer than a cell look at their centre only, so that edges fall on whole pixels.
        const bool finer = step <= 1;
        const double from = begin + step * (finer ? p + 0.5 : p);
        const double to = finer ? from : begin + step * (p + 1);
        const auto first = std::min(static_cast<std::size_t>(std::max(0.0, std::floor(from))), cells - 1);
        const auto last = static_cast<std::size_t>(std::max(0.0, std::ceil(to - 1e-9)));
        spans.push_back({first, std::clamp(last, first + 1, cells)});
    }
    return spans;
}

/// What a line of pixels shows so far.
struct Line {
    std::vector<float> values;
    std::vector<std::uint8_t> open;

    explicit Line(std::size_t width) : values(width), open(width) {}
    void clear() {
        std::ranges::fill(values, 0.0f);
        std::ranges::fill(open, std::uint8_t{0});
    }
    /// `mask` may be null.
    void add(const float* cells, const std::uint8_t* mask, const std::vector<Span>& across) {
        for (std::size_t x = 0; x < across.size(); ++x)
            for (std::size_t c = across[x].first; c < across[x].last; ++c)
                if (!mask || mask[c]) {
                    values[x] = moreExtreme(values[x], cells[c]);
                    open[x] = 1;
                }
    }
};

/// Neighbouring pixels often show the same cell: its colour is looked up once.
void drawLine(QImage& image, int y, const Line& shown, const ColourScale& scale, QRgb hatch,
              QRgb background) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    float value = 0;
    QRgb colour = scale.colour(value);
    for (std::size_t x = 0; x < shown.values.size(); ++x) {
        if (!shown.open[x]) {
            line[x] = (static_cast<int>(x) + y) % 6 == 0 ? hatch : background;
            continue;
        }
        if (shown.values[x] != value) { // true of every NaN
            value = shown.values[x];
            colour = scale.colour(value);
        }
        line[x] = colour;
    }
}

/// Adds a row of cells to the row of half as many that stands for it and its neighbour. Closed cells count as
/// nothing. Without branches, because a large map is pooled while a person waits.
template <bool masked>
void halve(std::span<const float> cells, const std::uint8_t* mask, float* pooled, std::uint8_t* open) {
    const auto add = [&](std::size_t x, std::size_t c) {
        if constexpr (masked)
            open[x] |= mask[c];
        pooled[x] = moreExtreme(pooled[x], masked && !mask[c] ? 0.0f : cells[c]);
    };
    const std::size_t pairs = cells.size() / 2;
    for (std::size_t x = 0; x < pairs; ++x) {
        add(x, 2 * x);
        add(x, 2 * x + 1);
    }
    if (cells.size() % 2 == 1)
        add(pairs, cells.size() - 1);
}

} // namespace

QImage matrixImage(trace::MatrixView values, const ColourScale& scale) {
    if (values.empty())
        return {};
    QImage image(static_cast<int>(values.columns()), static_cast<int>(values.rows()), QImage::Format_RGB32);
    for (std::size_t r = 0; r < values.rows(); ++r) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(r)));
        std::ranges::transform(values.row(r), line, [&](float value) { return scale.colour(value); });
    }
    return image;
}

QImage pooledImage(trace::MatrixView values, const trace::MaskMatrix* mask, const QRectF& window,
                   QSize pixels, const ColourScale& scale, QRgb hatch, QRgb background) {
    if (values.empty() || pixels.isEmpty() || window.isEmpty())
        return {};
    const auto down = touchedCells(window.top(), window.bottom(), pixels.height(), values.rows());
    const auto across = touchedCells(window.left(), window.right(), pixels.width(), values.columns());
    QImage image(pixels, QImage::Format_RGB32);
    Line shown(across.size());
    for (int y = 0; y < pixels.height(); ++y) {
        const Span& rows = down[static_cast<std::size_t>(y)];
        // Where pixels are finer than cells, most lines show what the one before did.
        if (y == 0 || rows != down[static_cast<std::size_t>(y) - 1]) {
            shown.clear();
            for (std::size_t r = rows.first; r < rows.last; ++r)
                shown.add(values.row(r).data(), mask ? mask->row(r).data() : nullptr, across);
        }
        drawLine(image, y, shown, scale, hatch, background);
    }
    return image;
}

MatrixPyramid::MatrixPyramid(trace::MatrixView values, const trace::MaskMatrix* mask)
    : values_(values), mask_(mask) {
    // Below 64 cells a side there is nothing to save.
    for (trace::MatrixView finer = values; finer.rows() > 64 && finer.columns() > 64;
         finer = trace::view(coarser_.back().values)) {
        const trace::MaskMatrix* open = coarser_.empty() ? mask_ : &coarser_.back().open;
        const std::size_t rows = (finer.rows() + 1) / 2;
        const std::size_t columns = (finer.columns() + 1) / 2;
        Level level{trace::Matrix(rows, columns), trace::MaskMatrix(rows, columns, open ? 0 : 1)};
        for (std::size_t r = 0; r < finer.rows(); ++r) {
            float* pooled = level.values.values().data() + r / 2 * columns;
            if (open)
                halve<true>(finer.row(r), open->row(r).data(), pooled,
                            level.open.values().data() + r / 2 * columns);
            else
                halve<false>(finer.row(r), nullptr, pooled, nullptr);
        }
        coarser_.push_back(std::move(level));
    }
}

QImage MatrixPyramid::image(const QRectF& window, QSize pixels, const ColourScale& scale, QRgb hatch,
                            QRgb background) const {
    if (pixels.isEmpty())
        return {};
    const double cellsAPixel = std::min(window.width() / pixels.width(), window.height() / pixels.height());
    std::size_t level = 0;
    while (level < coarser_.size() && std::ldexp(1.0, static_cast<int>(level) + 1) <= cellsAPixel)
        ++level;
    if (level == 0)
        return pooledImage(values_, mask_, window, pixels, scale, hatch, background);
    const Level& coarse = coarser_[level - 1];
    const double size = std::ldexp(1.0, static_cast<int>(level));
    const QRectF scaled(window.topLeft() / size, window.size() / size);
    return pooledImage(trace::view(coarse.values), &coarse.open, scaled, pixels, scale, hatch, background);
}

} // namespace headscope::widgets
