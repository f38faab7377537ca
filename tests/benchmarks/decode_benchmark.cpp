// Time to decode one token, with every map kept and with none, beside the bare matrix-vector products over
// the same weights, all in one run and one thread.
//
//     decode_benchmark [MODEL ...]
//
// Without a model: the bundled one, and one of base size (6+6 layers, d_model 512) with random weights.

#include "app/models/blas_kernels.h"
#include "app/models/resource_folders.h"
#include "model/engine/decoding_session.h"
#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/engine/run_recorder.h"
#include "model/network/attention_mask.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>

namespace {

using namespace headscope;

constexpr std::int64_t tokens = 48;
constexpr int rounds = 40;

/// Of each piece of work the shortest of several rounds, in milliseconds a token. They take turns, so that a
/// busy machine slows all of them alike.
template <std::size_t Count>
std::array<double, Count> shortest(const std::array<std::function<void()>, Count>& works) {
    std::array<double, Count> best{};
    best.fill(std::numeric_limits<double>::infinity());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < Count; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            works[i]();
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
            best[i] = std::min(best[i], took.count() / static_cast<double>(tokens));
        }
    return best;
}

/// What every token is multiplied with: the decoder's matrices but those that read the source only, and the
/// generator.
std::vector<at::Tensor> matricesOf(const network::Transformer& network) {
    std::vector<at::Tensor> matrices{network.generator().weight};
    for (const auto& [role, tensor] : network.parameters()) {
        const bool readsSource =
            role.find(".cross.key") != role.npos || role.find(".cross.value") != role.npos;
        if (role.starts_with("decoder.") && tensor.dim() == 2 && !readsSource)
            matrices.push_back(tensor);
    }
    return matrices;
}

void bareProducts(const std::vector<at::Tensor>& matrices, const std::vector<at::Tensor>& vectors) {
    for (std::int64_t t = 0; t < tokens; ++t)
        for (std::size_t i = 0; i < matrices.size(); ++i)
            at::mv(matrices[i], vectors[i]);
}

void decodeWithoutKeeping(const engine::OpenModel& model, const engine::EncodedSource& source) {
    auto state = model.network->startDecoding(source.output, source.open, tokens);
    engine::StopWatcher watcher({});
    std::int64_t next = model.summary->special.start.value_or(0);
    for (std::int64_t t = 0; t < tokens; ++t) {
        const auto id = at::tensor(std::vector<std::int64_t>{next}, at::kLong);
        const auto open = network::allowedKeys(id, model.maskedInTarget());
        const auto output = model.network->decode(id, open, state, {.observer = &watcher});
        next = model.network->logProbabilities(output).argmax().item<std::int64_t>();
    }
}

void decodeKeepingAll(const engine::OpenModel& model, const engine::EncodedSource& source) {
    const network::Interventions none;
    engine::DecodingSession session(model, source, none, {}, 10);
    std::vector<std::int64_t> fed{model.summary->special.start.value_or(0)};
    for (std::int64_t t = 0; t < tokens; ++t)
        fed.push_back(session.row(fed, {})->candidates.front().token.id);
}

void measure(const engine::ModelSource& modelSource) {
    const auto model = engine::openModel(modelSource, app::familyFolders(), {});
    const c10::InferenceMode inference;
    const trace::Request request{.source = trace::SourceIds{{5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 3}}};
    const auto source = engine::encodeSource(*model, request, {}, {});
    const auto matrices = matricesOf(*model->network);
    std::vector<at::Tensor> vectors;
    double bytes = 0;
    for (const auto& matrix : matrices) {
        vectors.push_back(at::randn({matrix.size(1)}));
        bytes += static_cast<double>(matrix.nbytes());
    }
    const auto [bare, without, keeping] =
        shortest<3>({[&] { bareProducts(matrices, vectors); }, [&] { decodeWithoutKeeping(*model, source); },
                     [&] { decodeKeepingAll(*model, source); }});
    std::printf("%s, %.0f MB a token\n", model->summary->name.c_str(), bytes / 1e6);
    std::printf("  bare products        %7.3f ms a token\n", bare);
    std::printf("  keeping no map       %7.3f ms, %.2f of the bare products\n", without, without / bare);
    std::printf("  keeping every map    %7.3f ms, %.2f of the bare products, %.2f of keeping none\n", keeping,
                keeping / bare, keeping / without);
}

} // namespace

int main(int count, char** arguments) {
    app::chooseBlasKernels(1);
    at::set_num_threads(1);
    // No tokenizer: SentencePiece's protobuf must not meet LibTorch's in one program.
    const auto trained = [](const std::string& model) {
        return engine::ModelSource{.path = app::resolveModel(model), .settings = {{"tokenizer", ""}}};
    };
    for (int i = 1; i < count; ++i)
        measure(trained(arguments[i]));
    if (count == 1) {
        measure(trained("tatoeba-en-de"));
        measure({.path = HEADSCOPE_BASE_SIZE_CONFIG, .randomSeed = 1});
    }
    return 0;
}
