#pragma once

#include "model/checkpoint/describe_network.h"
#include "model/files/read_file.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

/// A checkpoint in memory with the Annotated Transformer's names: 1 + 1 layers, d_model 4, d_ff 6,
/// vocabularies of 5 and 7, 9 positions. Numbers count up.
namespace toy_checkpoint {

using namespace headscope;
using files::StoredTensor;

inline checkpoint::Family annotated() {
    const std::string table = HEADSCOPE_SOURCE "/resources/families/annotated-transformer.json";
    return checkpoint::parseFamily(files::readText(table), table);
}

/// A contiguous float32 tensor of its own bytes.
inline StoredTensor tensor(const std::string& name, std::vector<std::int64_t> shape, float first = 0) {
    std::size_t count = 1;
    for (const auto size : shape)
        count *= static_cast<std::size_t>(size);
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = first + static_cast<float>(i) / 64;
    const auto bytes = std::as_bytes(std::span(values));
    auto strides = files::contiguousStrides(shape);
    return {.name = name,
            .type = files::ElementType::Float32,
            .shape = std::move(shape),
            .strides = std::move(strides),
            .bytes = std::make_shared<const files::FileBytes>(bytes)};
}

inline files::TensorFile file() {
    const auto family = annotated();
    std::map<std::string, std::vector<std::int64_t>> shapes{
        {"source_embedding.weight", {5, 4}}, {"target_embedding.weight", {7, 4}},
        {"source_positions", {1, 9, 4}},     {"target_positions", {1, 9, 4}},
        {"generator.weight", {7, 4}},        {"generator.bias", {7}}};
    const auto attention = [&](const std::string& site) {
        for (const char* part : {"query", "key", "value", "output"}) {
            shapes[site + "." + part + ".weight"] = {4, 4};
            shapes[site + "." + part + ".bias"] = {4};
        }
    };
    const auto norm = [&](const std::string& role) { shapes[role + ".gain"] = shapes[role + ".bias"] = {4}; };
    for (const std::string stack : {"encoder", "decoder"}) {
        attention(stack + ".0.self");
        shapes[stack + ".0.feed_forward.in.weight"] = {6, 4};
        shapes[stack + ".0.feed_forward.in.bias"] = {6};
        shapes[stack + ".0.feed_forward.out.weight"] = {4, 6};
        shapes[stack + ".0.feed_forward.out.bias"] = {4};
        for (const char* part : {".0.norm_self", ".0.norm_feed_forward", ".final_norm"})
            norm(stack + part);
    }
    attention("decoder.0.cross");
    norm("decoder.0.norm_cross");
    files::TensorFile file{.format = "toy"};
    for (const auto& [role, shape] : shapes)
        file.tensors.push_back(
            tensor(family.tensorName(role).value(), shape, static_cast<float>(shapes.size())));
    return file;
}

inline StoredTensor& named(files::TensorFile& file, const std::string& name) {
    for (auto& tensor : file.tensors)
        if (tensor.name == name)
            return tensor;
    throw std::out_of_range(name);
}

inline void remove(files::TensorFile& file, const std::string& name) {
    std::erase_if(file.tensors, [&](const auto& tensor) { return tensor.name == name; });
}

/// The family's settings and two heads.
inline checkpoint::Settings settings() {
    checkpoint::Settings settings;
    for (const auto& [key, value] : annotated().settings)
        settings.set(key, value, "the family's table");
    settings.set("heads", "2", "--heads");
    return settings;
}

inline network::NetworkConfig describe(const files::TensorFile& file, const checkpoint::Settings& settings) {
    const auto family = annotated();
    return checkpoint::describeNetwork(checkpoint::TensorLookup(file, family), family, settings, "toy.pt");
}

} // namespace toy_checkpoint
