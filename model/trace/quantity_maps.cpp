#include "model/trace/quantity_maps.h"

namespace headscope::trace {

bool isPerHead(MapQuantity quantity) {
    return quantity == MapQuantity::NormWeighted || quantity == MapQuantity::GradientAttention;
}

} // namespace headscope::trace
