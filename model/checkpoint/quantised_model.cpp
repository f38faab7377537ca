#include "model/checkpoint/quantised_model.h"

#include "model/files/findings.h"
#include "model/files/folder.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace headscope::checkpoint {

namespace {

using nlohmann::json;

/// How `transformers` can undo the quantisation.
enum class Undone { Never, Afterwards, WhileLoading };

struct Method {
    std::string_view key; ///< "quant_method" of a configuration
    std::string_view title;
    Undone undone = Undone::Never;
};
constexpr auto methods =
    std::to_array<Method>({{"gptq", "GPTQ"},
                           {"awq", "AWQ"},
                           {"bitsandbytes", "bitsandbytes", Undone::Afterwards},
                           {"fp8", "FP8", Undone::WhileLoading},
                           {"fbgemm_fp8", "FP8 (FBGEMM)"},
                           {"compressed-tensors", "compressed-tensors", Undone::WhileLoading},
                           {"mxfp4", "MXFP4", Undone::WhileLoading}});

/// Endings of names that only quantised tensors have.
constexpr auto endings = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{".qweight", "gptq"},
     {".weight_scale_inv", "fp8"},
     {".SCB", "bitsandbytes"},
     {".quant_state.bitsandbytes__nf4", "bitsandbytes"},
     {".quant_state.bitsandbytes__fp4", "bitsandbytes"},
     {".weight_packed", "compressed-tensors"}});

[[noreturn]] void refuseMethod(const std::string& key, const std::string& where, const std::string& details) {
    const auto* const known = std::ranges::find(methods, key, &Method::key);
    const bool isKnown = known != methods.end();
    const auto undone = isKnown ? known->undone : Undone::Never;
    const std::string wayOut = "open the folder of the model that was quantised";
    throw trace::Refusal(
        {.what = "The weights of this model are quantised",
         .where = where,
         .expected = "weights of float32, bfloat16 or float16",
         .found = (isKnown ? std::string(known->title) : files::printable(key)) + details,
         .wayOut = undone == Undone::Afterwards
                       ? wayOut + ", or load this one in transformers, call its dequantize() and save it"
                   : undone == Undone::WhileLoading
                       ? wayOut +
                             ", or load this one in transformers with dequantize=True in its quantization "
                             "configuration and save it"
                       : wayOut});
}

} // namespace

void refuseQuantised(const ModelFolder& folder) {
    const json config = folder.config ? readConfiguration(*folder.config) : json();
    const auto* found = config.is_object() ? memberOf(config, "quantization_config") : nullptr;
    if (found && found->is_object()) {
        auto bits = found->value("bits", json());
        for (const auto& [key, number] : {std::pair("load_in_4bit", 4), std::pair("load_in_8bit", 8)})
            if (found->value(key, json()) == true)
                bits = number;
        const auto method = found->value("quant_method", json());
        refuseMethod(method.is_string() ? method.get<std::string>() : "an unnamed method",
                     folder.config->string() + ", \"quantization_config\"",
                     bits.is_number_integer() ? ", " + bits.dump() + " bits" : "");
    }
    for (const auto& [name, method] : {std::pair("quantize_config.json", "gptq"), // of older programs
                                       std::pair("quant_config.json", "awq")})
        if (files::isFile(folder.folder / name))
            refuseMethod(method, (folder.folder / name).string(), "");
}

void refuseQuantised(const TensorShapes& tensors, const std::string& where) {
    for (const auto& [name, shape] : tensors)
        for (const auto& [ending, method] : endings)
            if (name.ends_with(ending))
                refuseMethod(std::string(method), where, ", by its tensor " + files::printable(name));
}

} // namespace headscope::checkpoint
