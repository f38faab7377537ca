#pragma once

#include "tests/model/engine/engines.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

/// A model in which one weight of one head is larger by a thousandth of its size: that no comparison is so
/// generous that it would not notice.
namespace engines {

/// The queries of the encoder's first layer in the tiny model.
inline const std::string queriesOfTiny = "encoder.layers.0.self_attn.linears.0.weight";

/// Opens a copy of the model with the largest weight of head 1 in `tensor` changed, whose rows are divided
/// among the heads.
inline std::unique_ptr<engine::Engine> withChangedWeight(const std::string& model,
                                                         const std::string& tensor) {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const auto original = start();
    const auto summary = original->open({.path = model}, {});
    original->convert(path, files::ElementType::Float32, {});
    std::fstream file(path + "/model.safetensors", std::ios::in | std::ios::out | std::ios::binary);
    std::uint64_t headerBytes = 0;
    file.read(reinterpret_cast<char*>(&headerBytes), sizeof headerBytes);
    std::string header(headerBytes, '\0');
    file.read(header.data(), static_cast<std::streamsize>(headerBytes));
    const auto entry = nlohmann::json::parse(header).at(tensor);
    const auto heads =
        static_cast<std::size_t>(summary->encoderLayers > 0 ? summary->encoderHeads : summary->decoderHeads);
    const auto ofHead =
        entry.at("shape")[0].get<std::size_t>() * entry.at("shape")[1].get<std::size_t>() / heads;
    const auto first =
        static_cast<std::streamoff>(sizeof headerBytes + headerBytes +
                                    entry.at("data_offsets")[0].get<std::size_t>() + ofHead * sizeof(float));
    std::vector<float> weights(ofHead);
    file.seekg(first);
    file.read(reinterpret_cast<char*>(weights.data()), static_cast<std::streamsize>(ofHead * sizeof(float)));
    const auto largest = std::ranges::max_element(weights, {}, [](float weight) { return std::abs(weight); });
    *largest *= 1.001F;
    file.seekp(first);
    file.write(reinterpret_cast<const char*>(weights.data()),
               static_cast<std::streamsize>(ofHead * sizeof(float)));
    file.close();
    return with(path);
}

} // namespace engines
