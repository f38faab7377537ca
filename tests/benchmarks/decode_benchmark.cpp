// Time to decode one token, with every map kept and with none, beside reading the same weights and beside the
// bare matrix-vector products over them, all in one run and with the same threads.
//
//     decode_benchmark [--threads N] [--tokens N] [--prompt N] [MODEL ...]
//
// OpenBLAS is linked and reads its variables before main(): set OPENBLAS_NUM_THREADS=1, and OPENBLAS_CORETYPE
// as app/models/choose_kernels.cpp does.
//
// Without a model: the bundled one, and one of base size (6+6 layers, d_model 512) with random weights. With
// --prompt: also the time of a prompt of N tokens, and of its first map, beside the same products in float32.

#include "app/models/choose_kernels.h"
#include "app/models/resource_folders.h"
#include "model/engine/decoding_session.h"
#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/engine/run_recorder.h"
#include "model/network/attention_mask.h"
#include "model/network/block_matrix.h"
#include "model/network/matrix_product.h"
#include "model/network/workers.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include <sys/resource.h>

namespace {

using namespace headscope;

struct Options {
    int threads = 1;
    std::int64_t tokens = 48;
    std::int64_t prompt = 0;
};

double secondsOf(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Of each piece of work the shortest of several rounds, in seconds. They take turns, so that a busy machine
/// slows all of them alike.
template <std::size_t Count>
std::array<double, Count> shortest(const std::array<std::function<void()>, Count>& works) {
    constexpr double enough = 20; // seconds
    constexpr int mostRounds = 40;
    constexpr int leastRounds = 3;
    std::array<double, Count> best{};
    best.fill(std::numeric_limits<double>::infinity());
    double spent = 0;
    for (int round = 0; round < mostRounds && (round < leastRounds || spent < enough); ++round)
        for (std::size_t i = 0; i < Count; ++i) {
            const double took = secondsOf(works[i]);
            spent += took;
            best[i] = std::min(best[i], took);
        }
    return best;
}

/// What every token is multiplied with: the decoder's matrices but those that read the source only, and the
/// generator.
std::vector<network::Linear> matricesOf(const network::Transformer& network) {
    std::vector<network::Linear> matrices{{.weight = network.head().output().weight}};
    for (const auto& [role, tensor] : network.parameters()) {
        const bool readsSource =
            role.find(".cross.key") != role.npos || role.find(".cross.value") != role.npos;
        if (role.starts_with("decoder.") && tensor.dim() == 2 && !readsSource)
            matrices.push_back({.weight = tensor});
    }
    return matrices;
}

std::uint64_t sumOf(std::span<const std::uint64_t> words) {
    std::array<std::uint64_t, 16> sums{};
    std::size_t i = 0;
    for (; i + sums.size() <= words.size(); i += sums.size())
        for (std::size_t lane = 0; lane < sums.size(); ++lane)
            sums[lane] += words[i + lane];
    std::uint64_t sum = 0;
    for (const auto one : sums)
        sum += one;
    return sum;
}

/// Reads each matrix once, in parts of a megabyte.
void read(const std::vector<network::Linear>& matrices) {
    static std::atomic<std::uint64_t> kept = 0; // so that the compiler reads
    constexpr std::size_t part = std::size_t{1} << 17;
    for (const auto& matrix : matrices) {
        const auto* const blocks = network::blocksOf(matrix.weight);
        const std::span words(
            static_cast<const std::uint64_t*>(blocks ? static_cast<const void*>(blocks->first.get())
                                                     : matrix.weight.data_ptr()),
            network::bytesOf(matrix.weight) / sizeof(std::uint64_t));
        network::Workers::ofProducts().run((words.size() + part - 1) / part, [&](std::size_t i) {
            kept += sumOf(words.subspan(i * part, std::min(part, words.size() - i * part)));
        });
    }
}

void multiply(const std::vector<network::Linear>& matrices, std::int64_t rows) {
    for (const auto& matrix : matrices) {
        const network::Linear* one = &matrix;
        network::products(at::ones({rows, matrix.weight.size(1)}), {&one, 1});
    }
}

std::int64_t startOf(const engine::OpenModel& model) {
    return model.summary->special.start.value_or(0);
}

using Ids = std::vector<std::int64_t>;

/// Returns what is fed and the last token that is chosen, as decodeKeepingAll() does.
Ids decodeWithoutKeeping(const engine::OpenModel& model, const engine::EncodedSource& source,
                         std::int64_t tokens) {
    auto state = model.network->startDecoding(source.output, source.open, tokens);
    engine::StopWatcher watcher({});
    Ids fed{startOf(model)};
    for (std::int64_t t = 0; t < tokens; ++t) {
        const auto id = at::tensor(Ids{fed.back()}, at::kLong);
        const auto open = network::allowedKeys(id, model.maskedInTarget());
        const auto output = model.network->decode(id, open, state, {.observer = &watcher});
        fed.push_back(model.network->logProbabilities(output).argmax().item<std::int64_t>());
    }
    return fed;
}

Ids decodeKeepingAll(const engine::OpenModel& model, const engine::EncodedSource& source,
                     std::int64_t tokens) {
    const network::Interventions none;
    engine::DecodingSession session(model, source, none, {}, 10);
    Ids fed{startOf(model)};
    for (std::int64_t t = 0; t < tokens; ++t)
        fed.push_back(session.row(fed, {})->candidates.front().token.id);
    return fed;
}

/// Returns the seconds until the row of the first token was there.
double readPrompt(const engine::OpenModel& model, const engine::EncodedSource& source, std::int64_t tokens) {
    const network::Interventions none;
    engine::DecodingSession session(model, source, none, {}, 10);
    Ids fed{startOf(model)};
    while (static_cast<std::int64_t>(fed.size()) < tokens)
        fed.push_back(5 + static_cast<std::int64_t>(fed.size()) % 1000);
    session.expect(fed);
    const double first = secondsOf([&] { session.row({fed.front()}, {}); });
    session.row(fed, {});
    return first;
}

void measurePrompt(const engine::OpenModel& model, const engine::EncodedSource& source,
                   const std::vector<network::Linear>& matrices, std::int64_t tokens) {
    std::vector<network::Linear> wide;
    for (const auto& matrix : matrices)
        wide.push_back({.weight = network::widened(matrix.weight)});
    double first = std::numeric_limits<double>::infinity();
    const auto [products, prompt] =
        shortest<2>({[&] { multiply(wide, tokens); },
                     [&] { first = std::min(first, readPrompt(model, source, tokens)); }});
    std::printf("  prompt of %lld tokens: products in float32 %.3f s; prompt %.3f s, %.2f of the products; "
                "first map after %.3f s, %.2f of them\n",
                static_cast<long long>(tokens), products, prompt, prompt / products, first, first / products);
}

void measure(const engine::ModelSource& modelSource, const Options& options) {
    std::unique_ptr<engine::OpenModel> model;
    const double opening =
        secondsOf([&] { model = engine::openModel(modelSource, app::familyFolders(), {}); });
    const c10::InferenceMode inference;
    const auto source = engine::encodeSource(
        *model, {.source = trace::SourceIds{{5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 3}}}, {}, {});
    const auto matrices = matricesOf(*model->network);
    double bytes = 0;
    for (const auto& matrix : matrices)
        bytes += static_cast<double>(network::bytesOf(matrix.weight));
    const auto tokens = options.tokens;
    const auto many = [tokens](const auto& work) {
        return [work, tokens] {
            for (std::int64_t t = 0; t < tokens; ++t)
                work();
        };
    };
    Ids withoutMaps, withMaps;
    auto [reading, products, without, keeping] =
        shortest<4>({many([&] { read(matrices); }), many([&] { multiply(matrices, 1); }),
                     [&] { withoutMaps = decodeWithoutKeeping(*model, source, tokens); },
                     [&] { withMaps = decodeKeepingAll(*model, source, tokens); }});
    if (withMaps != withoutMaps)
        throw std::logic_error("with its maps kept the model decodes something else");
    for (auto* seconds : {&reading, &products, &without, &keeping})
        *seconds /= static_cast<double>(tokens);
    const auto line = [&](const char* what, double seconds) {
        std::printf("  %-18s %8.3f ms a token, %7.1f tokens/s, %5.1f GB/s, %.2f of reading\n", what,
                    seconds * 1e3, 1 / seconds, bytes / seconds / 1e9, reading / seconds);
    };
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%s, %d threads, %.0f MB a token, opened in %.3f s, at most %.0f MB in memory\n",
                model->summary->name.c_str(), network::Workers::ofProducts().threads(), bytes / 1e6, opening,
                static_cast<double>(usage.ru_maxrss) / 1e3);
    line("reading", reading);
    line("bare products", products);
    line("keeping no map", without);
    line("keeping every map", keeping);
    if (options.prompt > 0)
        measurePrompt(*model, source, matrices, options.prompt);
}

} // namespace

int main(int count, char** arguments) {
    Options options;
    std::vector<std::string> models;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        const bool isOption = argument.starts_with("--") && i + 1 < count;
        const auto value = isOption ? std::atoll(arguments[++i]) : 0;
        if (argument == "--threads")
            options.threads = static_cast<int>(value);
        else if (argument == "--tokens")
            options.tokens = value;
        else if (argument == "--prompt")
            options.prompt = value;
        else
            models.push_back(argument);
    }
    app::chooseKernels();
    at::set_num_threads(1);
    network::Workers::ofProducts().setThreads(options.threads);
    // No tokenizer: SentencePiece's protobuf must not meet LibTorch's in one program.
    const auto trained = [](const std::string& model) {
        return engine::ModelSource{.path = app::resolveModel(model), .settings = {{"tokenizer", ""}}};
    };
    for (const auto& model : models)
        measure(trained(model), options);
    if (models.empty()) {
        measure(trained("tatoeba-en-de"), options);
        measure({.path = HEADSCOPE_BASE_SIZE_CONFIG, .randomSeed = 1}, options);
    }
    return 0;
}
