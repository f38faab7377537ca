#include "model/checkpoint/adapter.h"

#include "model/checkpoint/architecture_settings.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/network_prefix.h"
#include "model/files/element_values.h"
#include "model/files/file_bytes.h"
#include "model/files/findings.h"
#include "model/files/folder.h"
#include "model/files/hub_cache.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace headscope::checkpoint {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using trace::Refusal;

constexpr const char* configName = "adapter_config.json";

/// Options of PEFT that make another computation of the same tensors; their neutral value is null, false or
/// empty.
constexpr auto otherKinds = std::to_array<std::pair<const char*, const char*>>(
    {{"use_dora", "DoRA"},
     {"use_qalora", "QALoRA"},
     {"use_bdlora", "BD-LoRA"},
     {"lora_bias", "LoRA with biases of its own"},
     {"layer_replication", "LoRA on repeated layers"},
     {"target_parameters", "LoRA on parameters without a module"},
     {"trainable_token_indices", "LoRA with trained tokens"},
     {"alora_invocation_tokens", "activated LoRA"},
     {"arrow_config", "Arrow"},
     {"kasa_config", "KaSA"},
     {"monteclora_config", "MonteCLoRA"},
     {"velora_config", "VeLoRA"}});

[[noreturn]] void refuseKind(const fs::path& config, const std::string& kind) {
    throw Refusal({.what = "This kind of adapter cannot be merged",
                   .where = config.string(),
                   .expected = "LoRA: a product of two matrices added to a matrix of the base",
                   .found = files::printable(kind),
                   .wayOut = "merge it with PEFT's merge_and_unload(), where it can, and save the model"});
}

/// Refuses what changes the base as well, and everything but plain LoRA.
void refuseOtherKinds(const json& config, const fs::path& where) {
    const auto kind = config.value("peft_type", json());
    if (kind != "LORA")
        refuseKind(where, kind.is_string() ? kind.get<std::string>() : "no \"peft_type\"");
    for (const auto& [key, title] : otherKinds) {
        const auto value = config.value(key, json());
        if (!value.is_null() && value != false && !value.empty())
            refuseKind(where, title);
    }
    const auto start = config.value("init_lora_weights", json());
    for (const char* changing : {"pissa", "olora", "corda", "loftq", "lora_ga"})
        if (start.is_string() && start.get<std::string>().starts_with(changing))
            refuseKind(where, "LoRA from \"" + start.get<std::string>() + "\", which changes the base");
}

double numberAt(const json& config, const char* key, const fs::path& where) {
    const auto found = config.find(key);
    if (found == config.end() || !found->is_number())
        throw Refusal({.what = "The adapter's configuration cannot be used",
                       .where = where.string(),
                       .expected = std::string("a number at \"") + key + "\"",
                       .found = found == config.end() ? "nothing" : found->type_name(),
                       .wayOut = "take the file that PEFT saved with the adapter"});
    return found->get<double>();
}

/// A tensor as float32, of its own.
at::Tensor valuesOf(const files::StoredTensor& stored) {
    auto values = at::empty(stored.shape, at::kFloat);
    if (stored.strides == files::contiguousStrides(stored.shape)) {
        files::toFloats(stored.type,
                        {stored.bytes->data() + stored.offset, files::bytesOf(stored.type, values.numel())},
                        std::span(values.data_ptr<float>(), values.numel()));
        return values;
    }
    const auto size = files::sizeOf(stored.type); // no blocks: these are contiguous
    auto flat = values.view(-1);
    std::vector<std::int64_t> at(stored.shape.size(), 0);
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
        std::size_t element = 0;
        for (std::size_t d = 0; d < at.size(); ++d)
            element += at[d] * stored.strides[d];
        files::toFloats(stored.type, {stored.bytes->data() + stored.offset + element * size, size},
                        {flat.data_ptr<float>() + i, 1});
        for (std::size_t d = at.size(); d-- > 0 && ++at[d] == stored.shape[d];)
            at[d] = 0;
    }
    return values;
}

files::StoredTensor stored(const std::string& name, const at::Tensor& values) {
    const auto whole = values.contiguous();
    const auto* const bytes = static_cast<const std::byte*>(whole.data_ptr());
    files::StoredTensor tensor{
        .name = name, .type = files::ElementType::Float32, .shape = whole.sizes().vec()};
    tensor.strides = files::contiguousStrides(tensor.shape);
    tensor.bytes = std::make_shared<const files::FileBytes>(std::span(bytes, whole.nbytes()));
    return tensor;
}

/// "transformer.h.0.attn.c_attn" of "base_model.model.transformer.h.0.attn.c_attn.lora_A.weight", and which
/// factor it is.
struct AdapterName {
    std::string module;
    char factor = 0; ///< 'A', 'B', or 0 for a whole tensor, whose name is `module`
};
AdapterName nameIn(std::string name) {
    constexpr std::string_view wrapper = "base_model.model.", inner = ".base_layer.";
    if (name.starts_with(wrapper))
        name.erase(0, wrapper.size());
    for (const char factor : {'A', 'B'})
        for (const char* ending : {".weight", ".default.weight"})
            if (const auto whole = std::string(".lora_") + factor + ending; name.ends_with(whole))
                return {name.substr(0, name.size() - whole.size()), factor};
    if (const auto at = name.find(inner); at != name.npos)
        name.replace(at, inner.size(), ".");
    return {name};
}

/// Whether a key of `alpha_pattern` means a module: its whole name behind "^", else its end.
bool means(const std::string& key, const std::string& module) {
    return key.starts_with('^') ? key.substr(1) == module : module == key || module.ends_with("." + key);
}

double scaleOf(const Adapter& adapter, const std::string& module, std::int64_t rank) {
    std::set<double> own; // PEFT takes the first in the file, whose order JSON does not have
    for (const auto& [key, alpha] : adapter.alphas)
        if (means(key, module))
            own.insert(alpha);
    if (own.size() > 1)
        refuseKind(adapter.config, "LoRA with several alphas for " + module);
    const double alpha = own.empty() ? adapter.alpha : *own.begin();
    const auto divisor = static_cast<double>(rank);
    return alpha / (adapter.dividesByRoot ? std::sqrt(divisor) : divisor);
}

/// What the matrices have in common, "8", or "4 to 8".
std::string rangeOf(const std::set<double>& numbers) {
    const auto least = exactly(*numbers.begin()), most = exactly(*numbers.rbegin());
    return least == most ? least : least + " to " + most;
}

} // namespace

std::optional<Adapter> findAdapter(const fs::path& weights) {
    const auto path = weights.parent_path() / configName;
    if (!weights.filename().string().starts_with("adapter_model.") || !files::isFile(path))
        return std::nullopt;
    const json config = readConfiguration(path);
    if (!config.is_object())
        throw Refusal({.what = "The adapter's configuration cannot be used",
                       .where = path.string(),
                       .expected = "a JSON object",
                       .found = config.type_name(),
                       .wayOut = "take the file that PEFT saved with the adapter"});
    refuseOtherKinds(config, path);
    const auto text = [&](const char* key) {
        const auto value = config.value(key, json());
        return value.is_string() ? value.get<std::string>() : std::string();
    };
    Adapter adapter{.folder = weights.parent_path(),
                    .config = path,
                    .base = text("base_model_name_or_path"),
                    .task = text("task_type"),
                    .alpha = numberAt(config, "lora_alpha", path),
                    .dividesByRoot = config.value("use_rslora", json()) == true,
                    .isTransposed = config.value("fan_in_fan_out", json()) == true};
    const json patterns = config.value("alpha_pattern", json());
    for (const auto& [key, value] : patterns.items()) {
        if (key.find_first_of("\\*+?()[]{}|$") != key.npos || !value.is_number())
            refuseKind(path, "LoRA with the alpha of \"" + key + "\", an expression");
        adapter.alphas[key] = value.get<double>();
    }
    return adapter;
}

fs::path baseOf(const Adapter& adapter, const std::optional<fs::path>& stated) {
    if (stated)
        return *stated;
    auto name = fs::path(adapter.base).lexically_normal();
    if (!name.has_filename())
        name = name.parent_path(); // it ended with a slash
    const bool isName = name.has_filename() && name != "." && name.filename() != "..";
    std::error_code ignored;
    const auto here = fs::absolute(adapter.folder, ignored).lexically_normal();
    const auto folder = here.has_filename() ? here : here.parent_path();
    if (isName)
        for (const auto& path : {name, folder / name, folder.parent_path() / name.filename()})
            if (fs::exists(path, ignored) && !fs::equivalent(path, folder, ignored))
                return path;
    if (const auto cached = files::cachedModelNamed(adapter.base))
        return *cached;
    throw Refusal({.what = "The model that this adapter changes was not found",
                   .where = adapter.config.string() + ", \"base_model_name_or_path\"",
                   .expected = "that model beside the adapter's folder, or in Hugging Face's cache",
                   .found = adapter.base.empty() ? "no name" : files::printable(adapter.base),
                   .wayOut = (files::isHubName(adapter.base)
                                  ? files::howToDownload(files::hubFolder(adapter.base)) + ", "
                                  : std::string()) +
                             "put the folder of that model beside the adapter's, or choose it: --base on the "
                             "command line, Choose the Base Model in the window"});
}

Merged merge(const Adapter& adapter, const files::TensorFile& tensors, files::TensorFile base,
             const Family& family, const std::string& prefix) {
    const auto refuse = [&](const std::string& expected, const std::string& found) {
        throw Refusal({.what = "The adapter does not fit its base",
                       .where = adapter.folder.string(),
                       .expected = expected,
                       .found = found,
                       .wayOut = "give --base with the model that it was trained on"});
    };
    std::map<std::string, files::StoredTensor*> ofBase; // by the family's names
    for (auto& tensor : base.tensors)
        if (const auto name = nameInFamily(tensor.name, prefix, family))
            ofBase[*name] = &tensor;
    std::map<std::string, std::pair<const files::StoredTensor*, const files::StoredTensor*>> factors;
    std::vector<const files::StoredTensor*> whole;
    for (const auto& tensor : tensors.tensors) {
        const auto [module, factor] = nameIn(tensor.name);
        if (factor == 'A')
            factors[module].first = &tensor;
        else if (factor == 'B')
            factors[module].second = &tensor;
        else
            whole.push_back(&tensor);
    }
    Merged merged;
    std::set<double> ranks, scales;
    std::set<std::string> kinds;
    for (const auto& [module, both] : factors) {
        const auto name = family.withoutPrefix(module + ".weight");
        const auto found = ofBase.find(name);
        const auto& [a, b] = both;
        if (found == ofBase.end() || !a || !b || a->shape.size() != 2 || b->shape.size() != 2 ||
            a->shape[0] != b->shape[1] || a->shape[0] < 1)
            refuse("a matrix " + name + " in the base, and two factors of it",
                   found == ofBase.end() ? "no matrix of this name" : "factors of other shapes");
        auto& matrix = *found->second;
        const std::vector shape{b->shape[0], a->shape[1]}, turned{a->shape[1], b->shape[0]};
        const bool isTurned = adapter.isTransposed || shape != matrix.shape;
        if ((isTurned ? turned : shape) != matrix.shape)
            refuse(name + " " + files::shapeText(matrix.shape), files::shapeText(isTurned ? turned : shape));
        auto change = at::matmul(valuesOf(*b), valuesOf(*a)); // [out, in]
        if (isTurned)
            change = change.t();
        const double scale = scaleOf(adapter, module, a->shape[0]);
        matrix = stored(matrix.name, valuesOf(matrix) + change * scale);
        ranks.insert(static_cast<double>(a->shape[0]));
        scales.insert(scale);
        kinds.insert(module.substr(module.rfind('.') + 1));
    }
    if (factors.empty())
        refuse("factors named lora_A and lora_B", "none");
    std::vector<files::StoredTensor> added;
    for (const auto* tensor : whole) {
        const auto own = nameIn(tensor->name).module;
        const auto name = family.withoutPrefix(own);
        if (const auto found = ofBase.find(name); found != ofBase.end()) {
            if (tensor->shape != found->second->shape)
                refuse(name + " " + files::shapeText(found->second->shape), files::shapeText(tensor->shape));
            *found->second = stored(found->second->name, valuesOf(*tensor));
        } else if (family.knows(name))
            added.push_back(stored(prefix + name, valuesOf(*tensor)));
        else
            refuse("tensors of the family " + family.key, files::printable(own));
    }
    std::ranges::move(added, std::back_inserter(base.tensors));
    merged.words = "LoRA of rank " + rangeOf(ranks) + ", scale " + rangeOf(scales) + ", in " +
                   std::to_string(factors.size()) +
                   " matrices: " + trace::joined(std::vector<std::string>(kinds.begin(), kinds.end())) +
                   (whole.empty() ? "" : "; whole tensors: " + std::to_string(whole.size()));
    merged.file = std::move(base);
    return merged;
}

} // namespace headscope::checkpoint
