#include "model/trace/figure_data.h"

namespace headscope::trace {

std::size_t DataTable::rows() const {
    return columns.empty()
               ? 0
               : std::visit([](const auto& values) { return values.size(); }, columns.front().values);
}

} // namespace headscope::trace
