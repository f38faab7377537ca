#include "app/traces/trace_run.h"

#include "app/traces/trace_fields.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace headscope::app {

namespace {

using trace::AttentionRecord;
using trace::HeadStack;
using trace::Token;
using Values = std::shared_ptr<const float>;
using Records = std::vector<AttentionRecord>;

class RunReader {
  public:
    RunReader(TraceTensors& tensors, const RunWords& words) : tensors_(tensors), words_(words) {}

    std::shared_ptr<trace::Run> read() {
        auto run = std::make_shared<trace::Run>();
        readTokens(*run);
        run->encoder = records("encoder_self", run->source, run->source);
        run->decoder = records("decoder_self", run->target, run->target);
        run->cross = records("cross", run->target, run->source);
        if (run->encoder.empty() && run->decoder.empty() && run->cross.empty())
            tensors_.addFinding("no \"encoder_self/weights\", \"decoder_self/weights\" or \"cross/weights\"");
        readStreams(*run);
        growTree(*run, decodeRows(run->target.size()));
        run->request = request(*run);
        run->contrast = contrast(*run);
        run->output = words_.output;
        run->complete = true;
        return run;
    }

  private:
    void readTokens(trace::Run& run) {
        run.source = words_.source;
        run.target = words_.target;
        run.next = words_.next;
        run.forcedRows = words_.forcedRows;
        tensors_.readIds("source_ids", run.source);
        tensors_.readIds("target_ids", run.target);
        tensors_.readIds("next_ids", run.next);
        // The file contains the model's own predictions. If decoding continued a forced prefix, the forced
        // tokens are the ones that came next.
        for (std::size_t t = 0; t < run.forcedRows && run.forcedRows < run.target.size(); ++t)
            run.next[t] = run.target[t + 1];
    }

    /// Adds one part of all layers; each layer refers to its range of the array.
    void addPart(Records& records, const std::string& name, const std::vector<std::int64_t>& shape,
                 HeadStack AttentionRecord::*part) {
        const auto* stored = tensors_.find(name, shape);
        if (!stored)
            return;
        const auto all = tensors_.values(*stored);
        const std::size_t heads = count(stored->shape[1]), rows = count(stored->shape[2]),
                          columns = count(stored->shape[3]);
        for (std::size_t layer = 0; layer < records.size(); ++layer)
            records[layer].*part =
                HeadStack(heads, rows, columns, Values(all, all.get() + layer * heads * rows * columns));
    }

    /// One mask for all layers, or one for each.
    std::vector<trace::MaskMatrix> masks(const std::string& kind, const Records& records) {
        const auto& first = records.front();
        const std::size_t queries = first.weights.rows(), keys = first.weights.columns();
        std::vector<std::int64_t> shape{static_cast<std::int64_t>(queries), static_cast<std::int64_t>(keys)};
        if (tensors_.rank(kind + "/mask") == 3)
            shape.insert(shape.begin(), static_cast<std::int64_t>(records.size()));
        if (const auto* stored = tensors_.find(kind + "/mask", shape)) {
            const auto open = tensors_.list(*stored);
            std::vector<trace::MaskMatrix> masks;
            for (auto from = open.begin(); from != open.end();
                 from += static_cast<std::ptrdiff_t>(queries * keys))
                masks.emplace_back(
                    queries, keys,
                    std::vector<std::uint8_t>(from, from + static_cast<std::ptrdiff_t>(queries * keys)));
            return masks;
        }
        // No mask in the file: cells with weight 0 in all heads of the first layer count as masked.
        trace::MaskMatrix open(queries, keys, 0);
        for (std::size_t h = 0; h < first.weights.heads(); ++h)
            for (std::size_t query = 0; query < queries; ++query)
                for (std::size_t key = 0; key < keys; ++key)
                    if (first.weights(h, query, key) != 0)
                        open(query, key) = 1;
        return {open};
    }

    Records records(const std::string& kind, const std::vector<Token>& queries,
                    const std::vector<Token>& keys) {
        const auto rows = static_cast<std::int64_t>(queries.size()),
                   columns = static_cast<std::int64_t>(keys.size());
        const auto* weights = tensors_.find(kind + "/weights", {-1, -1, rows, columns});
        if (!weights || rows == 0 || columns == 0)
            return {};
        const auto layers = weights->shape[0], heads = weights->shape[1];
        Records records(count(layers));
        addPart(records, kind + "/weights", weights->shape, &AttentionRecord::weights);
        addPart(records, kind + "/scores", weights->shape, &AttentionRecord::scores);
        addPart(records, kind + "/q", {layers, heads, rows, -1}, &AttentionRecord::q);
        addPart(records, kind + "/k", {layers, heads, columns, -1}, &AttentionRecord::k);
        addPart(records, kind + "/v", {layers, heads, columns, -1}, &AttentionRecord::v);
        addPart(records, kind + "/heads", {layers, heads, rows, -1}, &AttentionRecord::outputs);
        const auto open = masks(kind, records);
        for (std::size_t layer = 0; layer < records.size(); ++layer) {
            records[layer].mask = open.size() == 1 ? open.front() : open[layer];
            records[layer].site = {.kind = kind == "encoder_self"   ? trace::AttentionKind::EncoderSelf
                                           : kind == "decoder_self" ? trace::AttentionKind::DecoderSelf
                                                                    : trace::AttentionKind::Cross,
                                   .layer = static_cast<int>(layer)};
        }
        return records;
    }

    void readStreams(trace::Run& run) {
        const auto sources = static_cast<std::int64_t>(run.source.size());
        const auto matrix = [&](const std::string& name) {
            const auto* stored = tensors_.find(name, {sources, -1});
            return stored ? trace::Matrix(count(sources), count(stored->shape[1]), tensors_.list(*stored))
                          : trace::Matrix();
        };
        run.sourcePositions = matrix("positions/source");
        run.encoderOutput = matrix("encoder_output");
        if (const auto* stored = tensors_.find("encoder/residual", {-1, sources, -1}))
            run.encoderResidual = HeadStack(count(stored->shape[0]), count(sources), count(stored->shape[2]),
                                            tensors_.values(*stored));
        if (const auto* stored = tensors_.find("class_log_probabilities", {-1}))
            run.classLogProbabilities = tensors_.list(*stored);
        if (const auto* stored = tensors_.find("replaced_probabilities", {sources}))
            run.replacedProbabilities = tensors_.list(*stored);
        if (run.target.empty())
            run.sourceLogProbabilities = matrix("log_probabilities");
        for (const auto& [index, candidates] : words_.masks)
            if (!candidates.empty())
                run.maskCandidates[count(index)] = candidates;
    }

    /// Returns the results of each step, except its rows of the maps.
    std::vector<std::shared_ptr<trace::DecodeRow>> decodeRows(std::size_t steps) {
        std::vector<std::shared_ptr<trace::DecodeRow>> rows;
        for (std::size_t t = 0; t < steps; ++t) {
            rows.push_back(std::make_shared<trace::DecodeRow>());
            rows.back()->candidates = words_.candidates[t];
        }
        const auto targets = static_cast<std::int64_t>(steps);
        const auto addSteps = [&](const std::string& name, std::vector<float> trace::DecodeRow::*part) {
            if (steps == 0) // an encoder alone has arrays of the same names for its source
                return;
            if (const auto* stored = tensors_.find(name, {targets, -1})) {
                const auto all = tensors_.values(*stored);
                const std::size_t columns = count(stored->shape[1]);
                for (std::size_t t = 0; t < steps; ++t)
                    ((*rows[t]).*part).assign(all.get() + t * columns, all.get() + (t + 1) * columns);
            }
        };
        addSteps("log_probabilities", &trace::DecodeRow::logProbabilities);
        addSteps("positions/target", &trace::DecodeRow::position);
        if (const auto* stored = tensors_.find("decoder/residual", {-1, targets, -1})) {
            const auto all = tensors_.values(*stored);
            const std::size_t sublayers = count(stored->shape[0]), width = count(stored->shape[2]);
            for (std::size_t t = 0; t < steps; ++t) {
                rows[t]->residual = trace::Matrix(sublayers, width);
                for (std::size_t s = 0; s < sublayers; ++s)
                    std::copy_n(all.get() + (s * steps + t) * width, width,
                                rows[t]->residual.values().begin() + static_cast<std::ptrdiff_t>(s * width));
            }
        }
        return rows;
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

} // namespace

std::shared_ptr<trace::Run> readRun(TraceTensors& tensors, const RunWords& words) {
    return RunReader(tensors, words).read();
}

} // namespace headscope::app
