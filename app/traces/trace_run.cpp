#include "app/traces/trace_run.h"

#include "app/traces/array_fields.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/files/available_memory.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace headscope::app {

namespace {

using files::NamedArray;
using trace::AttentionKind;
using trace::AttentionRecord;
using trace::DecodeRow;
using trace::DistanceBias;
using trace::HeadStack;
using trace::Matrix;
using trace::Token;
using Records = std::vector<AttentionRecord>;

using Recomputed = Matrix (*)(const AttentionRecord&, std::size_t head, const trace::Task&);

/// The maps of all layers that are not stored: recomputes them, one head at a time.
void writeNotStored(ArrayWriter& writer, const std::string& name, const Records& records,
                    Recomputed recomputed) {
    const auto& first = records.front();
    std::vector<float> values;
    values.reserve(records.size() * first.heads() * first.queries() * first.keys());
    for (const auto& record : records)
        for (std::size_t head = 0; head < record.heads(); ++head) {
            const auto map = recomputed(record, head, {});
            values.insert(values.end(), map.values().begin(), map.values().end());
        }
    writer.list(name, {size(records.size()), size(first.heads()), size(first.queries()), size(first.keys())},
                values);
}

/// One mask for all layers, [queries, keys]; [layers, queries, keys] if some have an attention window.
void masks(ArrayWriter& writer, const std::string& name, const Records& records) {
    std::vector<trace::MaskMatrix> masks;
    for (const auto& record : records)
        masks.push_back(analysis::maskOf(record));
    const auto& first = masks.front();
    Shape shape{size(first.rows()), size(first.columns())};
    const bool areEqual =
        std::ranges::all_of(masks, [&](const auto& mask) { return mask.values() == first.values(); });
    if (areEqual)
        masks.resize(1);
    else
        shape.insert(shape.begin(), size(masks.size()));
    std::vector<bool> open;
    for (const auto& mask : masks)
        open.insert(open.end(), mask.values().begin(), mask.values().end());
    writer.list(name, shape, open);
}

/// Without a mask in the file, cells with weight 0 in all heads of the first layer count as masked.
void masks(ArrayReader& reader, const std::string& name, Records& records) {
    const auto& weights = records.front().weights;
    const std::size_t queries = weights.rows(), keys = weights.columns(), cells = queries * keys;
    std::vector<float> stored;
    Shape shape{size(queries), size(keys)};
    if (reader.rank(name) == 3)
        shape.insert(shape.begin(), size(records.size()));
    std::vector<std::uint8_t> open(cells, 0);
    if (reader.list(name, shape, stored))
        open.assign(stored.begin(), stored.end());
    else
        for (std::size_t i = 0; i < weights.values().size(); ++i)
            if (weights.values()[i] != 0)
                open[i % cells] = 1;
    for (std::size_t layer = 0; layer < records.size(); ++layer) {
        const auto begin =
            open.begin() + static_cast<std::ptrdiff_t>(open.size() == cells ? 0 : layer * cells);
        records[layer].mask = {queries, keys, {begin, begin + static_cast<std::ptrdiff_t>(cells)}};
    }
}

/// The layers are in the value already, or none.
template <class Arrays>
void attention(Arrays& arrays, AttentionKind kind, typename Arrays::template Of<Records>& records,
               std::int64_t queries, std::int64_t keys, bool projections) {
    if (records.empty())
        return;
    const auto all = [&](const char* part, std::int64_t heads, std::int64_t rows, std::int64_t columns,
                         HeadStack AttentionRecord::*member) {
        arrays.stacks(
            arrayName(kind, part), {size(records.size())},
            {heads, rows, columns}, [&](std::size_t layer) -> auto& { return records[layer].*member; });
    };
    bool isStored = true;
    if constexpr (Arrays::writes)
        if (isStored = !records.front().isRecomputed(); !isStored) {
            writeNotStored(arrays, arrayName(kind, "weights"), records, analysis::recomputedWeights);
            writeNotStored(arrays, arrayName(kind, "scores"), records, analysis::recomputedScores);
        }
    if (isStored) {
        all("weights", -1, queries, keys, &AttentionRecord::weights);
        all("scores", size(records.front().weights.heads()), queries, keys, &AttentionRecord::scores);
    }
    masks(arrays, arrayName(kind, "mask"), records);
    if (!projections)
        return;
    const auto heads = size(records.front().heads());
    all("q", heads, queries, -1, &AttentionRecord::q);
    all("k", heads, keys, -1, &AttentionRecord::k);
    all("v", heads, keys, -1, &AttentionRecord::v);
    all("heads", heads, queries, -1, &AttentionRecord::outputs);
}

/// [1 + sublayers, T, d_model], from one [1 + sublayers, d_model] per step.
template <class Arrays, class RowAt>
void decoderResidual(Arrays& arrays, std::size_t steps, const RowAt& rowAt) {
    if (steps == 0)
        return;
    HeadStack all;
    if constexpr (Arrays::writes) {
        const auto& first = rowAt(0).residual;
        std::vector<float> values;
        for (std::size_t sublayer = 0; sublayer < first.rows(); ++sublayer)
            for (std::size_t t = 0; t < steps; ++t) {
                const auto row = rowAt(t).residual.row(sublayer);
                values.insert(values.end(), row.begin(), row.end());
            }
        all = HeadStack(first.rows(), steps, first.columns(), std::move(values));
    }
    arrays.stacks(
        "decoder/residual", {}, {-1, size(steps), -1}, [&](std::size_t) -> auto& { return all; });
    if constexpr (!Arrays::writes)
        for (std::size_t t = 0; t < steps && !all.empty(); ++t) {
            std::vector<float> values;
            for (std::size_t sublayer = 0; sublayer < all.heads(); ++sublayer) {
                const auto row = all.head(sublayer).row(t);
                values.insert(values.end(), row.begin(), row.end());
            }
            rowAt(t).residual = Matrix(all.heads(), all.columns(), std::move(values));
        }
}

/// Tokens have their texts already, attention has its layers, and `rowAt(t)` is what step t computed.
template <class Arrays, class RowAt>
void runArrays(Arrays& arrays, typename Arrays::template Of<trace::Run>& run,
               typename Arrays::template Of<std::vector<Token>>& next, bool projections, const RowAt& rowAt) {
    const auto sources = size(run.source.size()), targets = size(run.target.size());
    const auto ifAny = [&](const char* name, std::int64_t length, auto& values) {
        if (!Arrays::writes || !values.empty())
            arrays.list(name, {Arrays::writes ? size(values.size()) : length}, values);
    };
    arrays.ids("source_ids", run.source);
    if constexpr (Arrays::writes)
        ifAny("source_segments", sources, run.segments);
    if (!Arrays::writes || targets > 0) {
        arrays.ids("target_ids", run.target);
        arrays.ids("next_ids", next);
    }
    attention(arrays, AttentionKind::EncoderSelf, run.encoder, sources, sources, projections);
    attention(arrays, AttentionKind::DecoderSelf, run.decoder, targets, targets, projections);
    attention(arrays, AttentionKind::Cross, run.cross, targets, sources, projections);
    arrays.steps(
        "log_probabilities",
        run.target.size(), [&](std::size_t t) -> auto& { return rowAt(t).logProbabilities; });
    if (run.target.empty()) // an encoder alone has arrays of the same names for its source
        arrays.matrix("log_probabilities", {sources, -1}, run.sourceLogProbabilities);
    ifAny("replaced_probabilities", sources, run.replacedProbabilities);
    ifAny("class_log_probabilities", -1, run.classLogProbabilities);
    ifAny("numbers", -1, run.numbers);
    arrays.matrix("span_log_probabilities", {2, sources}, run.spanLogProbabilities);
    arrays.stacks(
        "encoder/residual", {}, {-1, sources, -1}, [&](std::size_t) -> auto& { return run.encoderResidual; });
    decoderResidual(arrays, run.target.size(), rowAt);
    arrays.matrix("encoder_output", {sources, -1}, run.encoderOutput);
    arrays.matrix("positions/source", {sources, -1}, run.sourcePositions);
    arrays.steps(
        "positions/target", run.target.size(), [&](std::size_t t) -> auto& { return rowAt(t).position; });
}

/// Saving needs all arrays in memory at once, including recomputed maps and arrays mapped from a file.
void refuseTooLittleMemory(const trace::Run& run) {
    double needed = 0;
    double largest = 0; // the array being written is in memory twice
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross}) {
        const auto add = [&](double times, auto&& numbers) {
            double bytes = 0;
            for (const auto& record : *records)
                bytes += static_cast<double>(numbers(record)) * sizeof(float);
            needed += times * bytes;
            largest = std::max(largest, bytes);
        };
        add(2, [](const auto& record) { // weights and scores
            return record.isRecomputed() ? record.heads() * record.queries() * record.keys() : 0;
        });
        for (const auto part : {&AttentionRecord::weights, &AttentionRecord::scores, &AttentionRecord::q,
                                &AttentionRecord::k, &AttentionRecord::v, &AttentionRecord::outputs})
            add(1, [part](const auto& record) { return (record.*part).values().size(); });
    }
    needed += largest;
    const auto available = files::availableMemory();
    if (available && needed > *available)
        throw trace::Refusal(
            {.what = "There is not enough memory to write all maps of so long a sentence",
             .where = std::to_string(run.source.size()) + " source tokens",
             .expected = "at most " + files::bytesInWords(*available) + ", which is free now",
             .found = "about " + files::bytesInWords(needed) + " needed",
             .wayOut = "shorten the sentence, or close other programs"});
}

class RunReader {
  public:
    RunReader(TraceTensors& tensors, const RunWords& words) : tensors_(tensors), words_(words) {}

    std::shared_ptr<trace::Run> read() {
        auto run = std::make_shared<trace::Run>();
        run->source = words_.source;
        run->target = words_.target;
        run->next = words_.next;
        run->forcedRows = words_.forcedRows;
        const auto sources = size(run->source.size()), targets = size(run->target.size());
        run->encoder = layers(AttentionKind::EncoderSelf, sources, sources);
        run->decoder = layers(AttentionKind::DecoderSelf, targets, targets);
        run->cross = layers(AttentionKind::Cross, targets, sources);
        if (run->encoder.empty() && run->decoder.empty() && run->cross.empty())
            tensors_.addFinding("no \"encoder_self/weights\", \"decoder_self/weights\" or \"cross/weights\"");
        std::vector<std::shared_ptr<DecodeRow>> rows;
        for (const auto& candidates : words_.candidates) {
            rows.push_back(std::make_shared<DecodeRow>());
            rows.back()->candidates = candidates;
        }
        ArrayReader reader(tensors_);
        runArrays(
            reader, *run, run->next, true, [&](std::size_t t) -> auto& { return *rows[t]; });
        // The file contains the model's own predictions. If decoding continued a forced prefix, the forced
        // tokens are the ones that came next.
        for (std::size_t t = 0; t < run->forcedRows && run->forcedRows < run->target.size(); ++t)
            run->next[t] = run->target[t + 1];
        for (const auto& [index, candidates] : words_.masks)
            if (!candidates.empty())
                run->maskCandidates[count(index)] = candidates;
        if (words_.secondText.value_or(0) > 0)
            run->secondText = *words_.secondText;
        growTree(*run, rows);
        run->request = request(*run);
        run->contrast = contrast(*run);
        run->output = words_.output;
        run->complete = true;
        return run;
    }

  private:
    Records layers(AttentionKind kind, std::int64_t rows, std::int64_t columns) {
        const auto* weights = tensors_.find(arrayName(kind, "weights"), {-1, -1, rows, columns});
        if (!weights || rows == 0 || columns == 0)
            return {};
        Records records(count(weights->shape[0]));
        for (std::size_t layer = 0; layer < records.size(); ++layer)
            records[layer].site = {.kind = kind, .layer = layer};
        return records;
    }

    void growTree(trace::Run& run, const std::vector<std::shared_ptr<trace::DecodeRow>>& rows) const {
        if (run.target.empty())
            return;
        if (words_.tree)
            plantTree(run);
        else
            growPath(run);
        for (std::size_t t = 0; t < std::min(rows.size(), run.path.size()); ++t)
            run.tree.setRow(run.path[t], rows[t]);
    }

    /// Takes the decode tree from the metadata and checks that its shown path agrees with the arrays.
    void plantTree(trace::Run& run) const {
        const auto& [tree, paths] = *words_.tree;
        run.tree = tree;
        run.paths = paths;
        run.path = run.tree.path(paths.back().leaf);
        const std::size_t fed = run.target.size();
        const bool isSame = (run.path.size() == fed || run.path.size() == fed + 1) &&
                            std::ranges::equal(run.target, std::span(run.path).first(fed), {}, &Token::piece,
                                               [&](auto node) { return run.tree.node(node).token.piece; });
        if (!isSame)
            tensors_.addFinding("\"tree\" shows another path than \"target\"");
        for (std::size_t t = 0; isSame && paths.back().decodedOn && t + 1 < run.path.size(); ++t)
            if (const auto& chosen = run.tree.node(run.path[t + 1]).token;
                chosen.role != trace::TokenRole::Padding)
                run.next[t] = chosen; // replaces the model's own prediction where a token was forced
        if (run.paths.size() != words_.request.paths.size())
            tensors_.addFinding("\"tree\" has " + std::to_string(run.paths.size()) + " paths, \"request\" " +
                                std::to_string(words_.request.paths.size()));
    }

    /// Builds the single recorded path of a file without a tree.
    void growPath(trace::Run& run) const {
        const std::size_t fed = run.target.size();
        const bool decodedOn = run.forcedRows < fed;
        const auto add = [&](const Token& token, std::size_t t) {
            trace::DecodeNode node{.token = token};
            if (t > 0) {
                node.parent = t - 1;
                node.logProbability = t <= words_.logProbabilities.size()
                                          ? words_.logProbabilities[t - 1]
                                          : std::numeric_limits<double>::quiet_NaN(); // not known
                node.rank = t <= words_.ranks.size() ? words_.ranks[t - 1] : -1;
            }
            run.path.push_back(run.tree.add(std::move(node)));
        };
        for (std::size_t t = 0; t < fed; ++t)
            add(run.target[t], t);
        if (decodedOn)
            add(run.next.back(), fed);
        run.paths = {{.leaf = run.path.back(),
                      .forcedTokens = run.forcedRows + (decodedOn ? 1 : 0),
                      .decodedOn = decodedOn,
                      .output = words_.output}};
    }

    trace::Request request(const trace::Run& run) const {
        trace::Request request = words_.request;
        if (!words_.tree) // only one path is known
            request.paths = {request.paths.back()};
        if (std::holds_alternative<trace::SourceIds>(request.source)) {
            trace::SourceIds given;
            for (const auto& token : run.source)
                given.ids.push_back(token.id);
            const bool known = !given.ids.empty() && std::ranges::min(given.ids) >= 0;
            const auto& words = run.source.empty() ? run.target : run.source;
            request.source = known ? trace::Source(std::move(given)) : trace::joinedText(words);
        }
        const auto all = [&](HeadStack AttentionRecord::*part) {
            for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
                for (const auto& record : *records)
                    if ((record.*part).empty())
                        return false;
            return true;
        };
        request.recording = {.projections = all(&AttentionRecord::q) && all(&AttentionRecord::k) &&
                                            all(&AttentionRecord::v) && all(&AttentionRecord::outputs),
                             .residual = !run.encoderResidual.empty(),
                             .encoderOutput = !run.encoderOutput.empty(),
                             .logProbabilities = !run.target.empty() && !run.row(0).logProbabilities.empty()};
        return request;
    }

    /// Returns the token that the chosen ones are compared with, unless it has no log-probability.
    std::optional<Token> contrast(const trace::Run& run) const {
        const auto steps = run.path.empty() ? 0 : run.target.size();
        const auto known = steps > 0                            ? run.row(0).logProbabilities.size()
                           : !run.classLogProbabilities.empty() ? run.classLogProbabilities.size()
                                                                : run.sourceLogProbabilities.columns();
        if (!words_.contrast || !run.request.ratherThan)
            return std::nullopt;
        const auto id = words_.contrast->id;
        if (id >= 0 && (known == 0 || count(id) < known)) // without log-probabilities nothing is compared
            return words_.contrast;
        tensors_.addFinding("\"contrast\" has the id " + std::to_string(id) +
                            ", which is no token of \"log_probabilities\"");
        return std::nullopt;
    }

    TraceTensors& tensors_;
    const RunWords& words_;
};

std::shared_ptr<const Matrix> matrixOf(TraceTensors& tensors, const std::string& name,
                                       const std::vector<std::int64_t>& shape) {
    const auto* stored = tensors.find(name, shape);
    return stored ? std::make_shared<const Matrix>(count(stored->shape[0]), count(stored->shape[1]),
                                                   tensors.list(*stored))
                  : nullptr;
}

std::shared_ptr<const DistanceBias> biasOf(TraceTensors& tensors, const std::string& name,
                                           const std::optional<DistanceBias>& said) {
    const auto values =
        said ? matrixOf(tensors, name, {-1, static_cast<std::int64_t>(said->buckets.size())}) : nullptr;
    if (!values || values->rows() % said->layers != 0)
        return nullptr;
    auto bias = std::make_shared<DistanceBias>(*said);
    bias->values = *values;
    return bias;
}

bool movesPositions(const trace::Request& request) {
    return std::ranges::any_of(trace::effective(request.interventions), [](const auto& change) {
        return std::holds_alternative<trace::ChangePositions>(change);
    });
}

} // namespace

std::vector<NamedArray> traceArrays(const trace::Run& run) {
    refuseTooLittleMemory(run);
    ArrayWriter writer;
    runArrays(
        writer, run, chosenByModel(run),
        run.request.recording.projections, [&](std::size_t t) -> auto& { return run.row(t); });
    return writer.arrays();
}

std::shared_ptr<trace::Run> readRun(TraceTensors& tensors, const RunWords& words) {
    return RunReader(tensors, words).read();
}

std::vector<NamedArray> positionArrays(const trace::Run& run) {
    constexpr std::size_t fewest = 64; // enough rows for readable curves
    const auto& model = *run.model;
    ArrayWriter writer;
    for (const auto& [name, table] : {std::pair("positions/source_table", model.sourcePositions),
                                      std::pair("positions/target_table", model.targetPositions)})
        if (table) {
            const auto rows =
                std::min(table->rows(), std::max({fewest, run.source.size(), run.target.size()}));
            writer.list(name, {size(rows), size(table->columns())},
                        std::span(table->values()).first(rows * table->columns()));
        }
    for (const auto& [name, bias] : {std::pair("positions/encoder_bias", model.encoderBias),
                                     std::pair("positions/decoder_bias", model.decoderBias)})
        if (bias)
            writer.matrix(name, {}, bias->values);
    return writer.arrays();
}

void readPositions(TraceTensors& tensors, TraceMetadata& words, const trace::Run& run) {
    const bool moved = movesPositions(words.request);
    const bool mayAdd =
        words.model.positionKind.value_or(trace::PositionKind::Added) == trace::PositionKind::Added;
    const auto table = [&](const std::string& side, std::size_t tokens) -> std::shared_ptr<const Matrix> {
        if (!mayAdd) // what other models add is zero
            return nullptr;
        auto stored = matrixOf(tensors, "positions/" + side + "_table", {-1, -1});
        if (!stored && !moved && tokens > 0)
            stored = matrixOf(tensors, "positions/" + side, {static_cast<std::int64_t>(tokens), -1});
        return stored;
    };
    auto& model = words.model.summary;
    model.sourcePositions = table("source", run.source.size());
    model.targetPositions = table("target", run.target.size());
    model.encoderBias = biasOf(tensors, "positions/encoder_bias", words.model.encoderBias);
    model.decoderBias = biasOf(tensors, "positions/decoder_bias", words.model.decoderBias);
    const bool adds = model.sourcePositions || model.targetPositions;
    model.positionKind =
        words.model.positionKind.value_or(adds ? trace::PositionKind::Added : trace::PositionKind::None);
}

} // namespace headscope::app
