#include "model/network/matrix_product.h"

#include "model/network/block_matrix.h"
#include "model/network/dot_products.h"
#include "model/network/parameters.h"
#include "model/network/workers.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <limits>

namespace headscope::network {

namespace {

/// Up to this many rows, each is multiplied by itself while a few rows of the matrix are in the cache; more
/// rows are worth the copies that a general product makes.
constexpr std::int64_t fewRows = 8;
/// Bytes of a matrix below which a second thread would cost more than it saves.
constexpr std::int64_t worthThreads = 1 << 18;
/// Bytes of a matrix that a thread claims at once: some microseconds of reading.
constexpr std::int64_t bytesPerPart = 1 << 17;
/// Rows of a matrix that are widened at a time, so that they stay in the cache until they are used.
constexpr std::int64_t rowsWidened = 256;

dots::Element elementOf(const at::Tensor& tensor) {
    if (const auto* blocks = blocksOf(tensor))
        return blocks->type;
    switch (tensor.scalar_type()) {
    case at::kBFloat16:
        return dots::Element::BFloat16;
    case at::kHalf:
        return dots::Element::Float16;
    default:
        return dots::Element::Float32;
    }
}

dots::Matrix matrixOf(const at::Tensor& weight) {
    const auto* blocks = blocksOf(weight);
    return {.element = elementOf(weight),
            .first = blocks ? static_cast<const void*>(blocks->first.get()) : weight.data_ptr(),
            .columns = static_cast<std::size_t>(weight.size(-1))};
}

/// Some rows of one of several matrices.
struct Part {
    std::size_t map = 0;
    std::int64_t first = 0;
    std::int64_t rows = 0;
};

/// With `bytesAtOnce` of a matrix in each, or more for `rowsAtLeast`.
std::vector<Part> divided(std::span<const Linear* const> maps, std::int64_t bytesAtOnce,
                          std::int64_t rowsAtLeast) {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const auto& weight = maps[i]->weight;
        const auto rows = weight.size(0);
        const auto bytesOfRow = bytesOf(weight) / std::max<std::int64_t>(1, rows);
        const auto atOnce = std::max(rowsAtLeast, bytesAtOnce / std::max<std::int64_t>(1, bytesOfRow));
        for (std::int64_t first = 0; first < rows; first += atOnce)
            parts.push_back({i, first, std::min(atOnce, rows - first)});
    }
    return parts;
}

void compute(const std::vector<Part>& parts, bool worthIt, const std::function<void(const Part&)>& work) {
    if (worthIt)
        return Workers::ofProducts().run(parts.size(), [&](std::size_t part) { work(parts[part]); });
    for (const auto& part : parts)
        work(part);
}

std::int64_t bytesOf(std::span<const Linear* const> maps) {
    std::int64_t bytes = 0;
    for (const auto* map : maps)
        bytes += network::bytesOf(map->weight);
    return bytes;
}

/// Reads each matrix once.
void multiplyFew(const at::Tensor& x, std::span<const Linear* const> maps,
                 const std::vector<at::Tensor>& results) {
    // Maps of one input come from one file and have one type; if not, they are multiplied one by one.
    const auto element = elementOf(maps.front()->weight);
    const auto isLikeFirst = [&](const Linear* map) { return elementOf(map->weight) == element; };
    if (!std::ranges::all_of(maps, isLikeFirst)) {
        for (std::size_t i = 0; i < maps.size(); ++i)
            multiplyFew(x, maps.subspan(i, 1), {results[i]});
        return;
    }
    const auto n = x.size(0);
    const auto columns = x.size(1);
    auto arranged = x;
    if (element != dots::Element::Float32) {
        arranged = at::empty({n, static_cast<std::int64_t>(dots::arrangedSize(element, columns))});
        for (std::int64_t row = 0; row < n; ++row)
            dots::arrange(element, arranged.data_ptr<float>() + row * arranged.size(1),
                          x.data_ptr<float>() + row * columns, columns);
    }
    const auto width = arranged.size(1);
    const auto* const from = arranged.data_ptr<float>();
    const auto work = [&](const Part& part) {
        constexpr std::int64_t inCache = 4; // rows of the matrix
        const auto& map = *maps[part.map];
        const auto matrix = matrixOf(map.weight);
        const auto* const bias = map.bias.defined() ? map.bias.data_ptr<float>() : nullptr;
        auto* const to = results[part.map].data_ptr<float>();
        const auto outputs = results[part.map].size(1);
        const auto end = part.first + part.rows;
        const auto atOnce = n == 1 ? part.rows : inCache;
        for (auto first = part.first; first < end; first += atOnce)
            for (std::int64_t row = 0; row < n; ++row)
                dots::multiply(matrix, first, std::min(first + atOnce, end), from + row * width, bias,
                               to + row * outputs);
    };
    constexpr auto whole = std::numeric_limits<std::int64_t>::max();
    const bool worthIt = bytesOf(maps) >= worthThreads && Workers::ofProducts().threads() > 1;
    compute(divided(maps, worthIt ? bytesPerPart : whole, 1), worthIt, work);
}

/// Multiplies by some rows of a matrix in float32.
void multiplyPart(const at::Tensor& x, const Linear& map, const at::Tensor& result, const Part& part) {
    const c10::InferenceMode fast;
    const auto& [weight, bias, factor] = map;
    at::Tensor rows; // [rows, in]
    if (elementOf(weight) == dots::Element::Float32) {
        rows = weight.narrow(0, part.first, part.rows);
    } else {
        static thread_local at::Tensor buffer;
        const auto numbers = part.rows * weight.size(1);
        if (!buffer.defined() || buffer.numel() < numbers)
            buffer = at::empty({numbers});
        rows = buffer.narrow(0, 0, numbers).view({part.rows, weight.size(1)});
        dots::widen(matrixOf(weight), part.first * weight.size(1), numbers, rows.data_ptr<float>());
    }
    auto to = result.narrow(1, part.first, part.rows); // [n, rows]
    if (bias.defined())
        at::addmm_out(to, bias.narrow(0, part.first, part.rows), x, rows.t());
    else
        at::mm_out(to, x, rows.t());
}

} // namespace

std::vector<at::Tensor> products(const at::Tensor& x, std::span<const Linear* const> maps) {
    const auto input = x.contiguous();
    const auto n = input.size(0);
    std::vector<at::Tensor> results;
    for (const auto* map : maps)
        results.push_back(at::empty({n, map->weight.size(0)}));
    if (n <= fewRows)
        multiplyFew(input, maps, results);
    else
        compute(divided(maps, bytesPerPart, rowsWidened), n * bytesOf(maps) >= fewRows * worthThreads,
                [&](const Part& part) { multiplyPart(input, *maps[part.map], results[part.map], part); });
    return results;
}

at::Tensor widened(const at::Tensor& tensor) {
    if (!blocksOf(tensor))
        return tensor.to(at::kFloat);
    auto wide = at::empty(tensor.sizes());
    dots::widen(matrixOf(tensor), 0, tensor.numel(), wide.data_ptr<float>());
    return wide;
}

at::Tensor rowsOf(const at::Tensor& matrix, const at::Tensor& ids) {
    if (!blocksOf(matrix))
        return widened(at::embedding(matrix, ids));
    const auto indices = ids.contiguous();
    const auto columns = matrix.size(1);
    auto rows = at::empty({indices.size(0), columns});
    for (std::int64_t i = 0; i < indices.size(0); ++i) {
        const auto id = indices.data_ptr<std::int64_t>()[i];
        TORCH_CHECK_INDEX(id >= 0 && id < matrix.size(0), "row ", id, " of ", matrix.size(0));
        dots::widen(matrixOf(matrix), id * columns, columns, rows.data_ptr<float>() + i * columns);
    }
    return rows;
}

std::int64_t notFinite(const at::Tensor& tensor, std::int64_t firstRow, std::int64_t rows) {
    auto matrix = matrixOf(tensor);
    const auto ofRow = tensor.numel() / std::max<std::int64_t>(1, tensor.size(0));
    matrix.first =
        static_cast<const std::byte*>(matrix.first) + files::bytesOf(matrix.element, firstRow * ofRow);
    return static_cast<std::int64_t>(dots::notFinite(matrix, rows * ofRow));
}

std::int64_t bytesOf(const at::Tensor& tensor) {
    return static_cast<std::int64_t>(files::bytesOf(elementOf(tensor), tensor.numel()));
}

} // namespace headscope::network
