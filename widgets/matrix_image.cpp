#include "widgets/matrix_image.h"

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

/// The cells [first, last) that one pixel touches.
struct Span {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// Cells that each of `pixels` equal parts of [begin, end) touches, on a level whose cells are 2^level wide.
std::vector<Span> touchedCells(double begin, double end, int pixels, std::size_t cells, std::size_t level) {
    std::vector<Span> spans;
    const double size = std::ldexp(1.0, static_cast<int>(level));
    const double step = (end - begin) / pixels;
    for (int p = 0; p < pixels; ++p) {
        // Pixels finer than a cell look at their centre only, so that edges fall on whole pixels.
        const bool finer = step <= 1;
        const double from = begin + step * (finer ? p + 0.5 : p);
        const double to = finer ? from : begin + step * (p + 1);
        const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(from / size)));
        const auto last = static_cast<std::size_t>(std::max(0.0, std::ceil(to / size - 1e-9)));
        spans.push_back(
            {std::min(first, cells - 1), std::clamp(last, std::min(first, cells - 1) + 1, cells)});
    }
    return spans;
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

float moreExtreme(float one, float other) {
    if (std::isnan(one) || std::isnan(other))
        return std::isnan(one) ? one : other;
    return std::abs(other) > std::abs(one) ? other : one;
}

MatrixPyramid::MatrixPyramid(trace::MatrixView values, const trace::MaskMatrix* mask)
    : values_(values), mask_(mask) {
    while (!empty() && (values_.rows() >> coarser_.size()) > 64 &&
           (values_.columns() >> coarser_.size()) > 64)
        addLevel();
}

MatrixPyramid::Sample MatrixPyramid::sample(std::size_t level, std::size_t row, std::size_t column) const {
    if (level == 0)
        return {values_(row, column), !mask_ || (*mask_)(row, column) != 0};
    const Level& coarse = coarser_[level - 1];
    return {coarse.values(row, column), coarse.open(row, column) != 0};
}

void MatrixPyramid::addLevel() {
    const std::size_t below = coarser_.size();
    const std::size_t rows = below == 0 ? values_.rows() : coarser_.back().values.rows();
    const std::size_t columns = below == 0 ? values_.columns() : coarser_.back().values.columns();
    Level level{trace::Matrix((rows + 1) / 2, (columns + 1) / 2),
                trace::MaskMatrix((rows + 1) / 2, (columns + 1) / 2)};
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            if (const Sample cell = sample(below, r, c); cell.open) {
                float& kept = level.values(r / 2, c / 2);
                kept = moreExtreme(kept, cell.value);
                level.open(r / 2, c / 2) = 1;
            }
    coarser_.push_back(std::move(level));
}

QImage MatrixPyramid::image(const QRectF& window, QSize pixels, const ColourScale& scale, QRgb hatch,
                            QRgb background) const {
    if (empty() || pixels.isEmpty() || window.isEmpty())
        return {};
    const double cellsAPixel = std::min(window.width() / pixels.width(), window.height() / pixels.height());
    std::size_t level = 0;
    while (level < coarser_.size() && std::ldexp(1.0, static_cast<int>(level) + 1) <= cellsAPixel)
        ++level;
    const std::size_t rows = level == 0 ? values_.rows() : coarser_[level - 1].values.rows();
    const std::size_t columns = level == 0 ? values_.columns() : coarser_[level - 1].values.columns();
    const auto down = touchedCells(window.top(), window.bottom(), pixels.height(), rows, level);
    const auto across = touchedCells(window.left(), window.right(), pixels.width(), columns, level);

    QImage image(pixels, QImage::Format_RGB32);
    for (int y = 0; y < pixels.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < pixels.width(); ++x) {
            Sample shown;
            for (std::size_t r = down[static_cast<std::size_t>(y)].first;
                 r < down[static_cast<std::size_t>(y)].last; ++r)
                for (std::size_t c = across[static_cast<std::size_t>(x)].first;
                     c < across[static_cast<std::size_t>(x)].last; ++c)
                    if (const Sample cell = sample(level, r, c); cell.open)
                        shown = {shown.open ? moreExtreme(shown.value, cell.value) : cell.value, true};
            line[x] = shown.open ? scale.colour(shown.value) : (x + y) % 6 == 0 ? hatch : background;
        }
    }
    return image;
}

} // namespace headscope::widgets
