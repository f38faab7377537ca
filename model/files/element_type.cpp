#include "model/files/element_type.h"

namespace headscope::files {

std::string_view name(ElementType type) {
    constexpr std::string_view names[] = {
        "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
        "Q4_0", "Q4_1",  "Q5_0", "Q5_1",  "Q8_0",  "Q2_K",  "Q3_K",    "Q4_K",     "Q5_K",    "Q6_K"};
    return names[static_cast<std::size_t>(type)];
}

} // namespace headscope::files
