#include "app/traces/read_trace.h"

#include "app/traces/trace_fields.h"
#include "app/traces/trace_metadata.h"
#include "app/traces/trace_run.h"
#include "app/traces/trace_tensors.h"
#include "model/analysis/self_check.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using trace::AttentionRecord;
using Records = std::vector<AttentionRecord>;

bool haveSameHeads(const Records& one, const Records& other) {
    return std::ranges::equal(one, other, {}, &AttentionRecord::heads, &AttentionRecord::heads);
}

/// Whether two runs have the same shapes, so that views can compare them.
bool canStandBeside(const trace::Run& other, const trace::Run& run) {
    return other.source.size() == run.source.size() && other.path.empty() == run.path.empty() &&
           other.answerKind() == run.answerKind() && other.numbers.size() == run.numbers.size() &&
           other.classLogProbabilities.size() == run.classLogProbabilities.size() &&
           haveSameHeads(other.encoder, run.encoder) && haveSameHeads(other.decoder, run.decoder) &&
           haveSameHeads(other.cross, run.cross);
}

/// Size of the vocabulary; 0 if distributions are not stored.
std::size_t widthOf(const trace::Run& run) {
    return run.path.empty() ? 0 : run.row(0).logProbabilities.size();
}

/// Whether the distributions, if stored, have the size `width` (0: any) and contain all chosen tokens.
bool saysOf(const trace::Run& run, std::size_t width) {
    const auto own = widthOf(run);
    return own == 0 || ((width == 0 || own == width) && std::ranges::all_of(run.next, [&](const auto& token) {
                            return token.id >= 0 && static_cast<std::uint64_t>(token.id) < own;
                        }));
}

class TraceReader {
  public:
    TraceReader(const std::filesystem::path& path, const std::stop_token& stop)
        : path_(path), tensors_(path, stop) {
        const auto words = tensors_.words();
        if (!words)
            refuse(
                "the tokens: metadata \"tokens.json\", or arrays \"source\" and \"target\" of strings in a "
                ".npz file",
                "none");
        words_ = parseTokensJson(*words, path.string() + ", tokens.json");
    }

    Trace read() {
        const auto run = readRun(tensors_, words_);
        refuseUnlessFitting(tensors_);
        readPositions(tensors_, words_, *run);
        auto analyses = readAnalyses(tensors_, words_, *run);
        refuseUnlessFitting(tensors_);
        const auto beside = readBeside(*run);
        const auto known = model(*run, beside);
        finish(*run, words_, known);
        for (std::size_t i = 0; i < beside.size(); ++i)
            finish(*beside[i], words_.beside[i], named(known, words_.beside[i].model));
        analyses.beside.assign(beside.begin(), beside.end());
        return {.run = run, .analyses = std::move(analyses)};
    }

  private:
    [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
        throw trace::Refusal({.what = "This trace cannot be shown",
                              .where = path_.string(),
                              .expected = expected,
                              .found = found,
                              .wayOut = "write it as the manual page traces.md describes"});
    }

    void refuseUnlessFitting(const TraceTensors& tensors) const {
        if (!tensors.findings().empty())
            refuse("weights [layers, heads, queries, keys] for the tokens that it names, and the rest of the "
                   "same sizes",
                   tensors.findings().text());
    }

    std::vector<std::shared_ptr<trace::Run>> readBeside(const trace::Run& run) const {
        std::vector<std::shared_ptr<trace::Run>> runs;
        const auto own = widthOf(run);
        for (std::size_t i = 0; i < words_.beside.size(); ++i) {
            auto tensors = tensors_.within(besideName(i));
            runs.push_back(readRun(tensors, words_.beside[i]));
            const auto width = own > 0 ? own : widthOf(*runs.front());
            if (!canStandBeside(*runs.back(), run) || !saysOf(run, own) || !saysOf(*runs.back(), width))
                tensors.addFinding("\"" + besideName(i) + "\" is of another model or sentence");
            refuseUnlessFitting(tensors);
        }
        return runs;
    }

    /// Returns the model under another name, for the random twin.
    static std::shared_ptr<const trace::ModelSummary>
    named(const std::shared_ptr<const trace::ModelSummary>& model, const std::string& name) {
        if (name.empty() || name == model->name)
            return model;
        auto other = std::make_shared<trace::ModelSummary>(*model);
        other->name = name;
        return other;
    }

    void finish(trace::Run& run, const RunWords& words,
                const std::shared_ptr<const trace::ModelSummary>& model) const {
        run.model = model;
        std::optional<analysis::NumberOrigin> origin;
        if (tensors_.isReadWhole())
            origin = {.roundoff = tensors_.roundoff()};
        run.selfCheck = analysis::checkedAnew(words.selfCheck, run, origin);
    }

    std::shared_ptr<const trace::ModelSummary>
    model(const trace::Run& run, const std::vector<std::shared_ptr<trace::Run>>& beside) const {
        auto model = std::make_shared<trace::ModelSummary>(words_.model.summary);
        if (model->name.empty())
            model->name = path_.stem().string();
        if (model->familyTitle.empty())
            model->familyTitle = "recorded by another program";
        model->path = path_.string();
        model->encoderLayers = run.encoder.size();
        model->decoderLayers = std::max(run.decoder.size(), run.cross.size());
        model->attendsToSource = !run.encoder.empty() || !run.cross.empty();
        const auto heads = [](const Records& records) {
            return records.empty() ? 0 : records.front().weights.heads();
        };
        model->encoderHeads = heads(run.encoder);
        model->decoderHeads = std::max(heads(run.decoder), heads(run.cross));
        for (const auto* records : {&run.encoder, &run.decoder, &run.cross})
            if (!records->empty() && !records->front().q.empty())
                model->headWidth = records->front().q.columns();
        model->classes = static_cast<std::int64_t>(run.classLogProbabilities.size());
        model->numbers = static_cast<std::int64_t>(run.numbers.size());
        const auto named = std::max({model->classes, model->numbers, model->tokenLabels});
        if (static_cast<std::int64_t>(model->classLabels.size()) != named)
            model->classLabels.clear();
        if (!run.replacedProbabilities.empty())
            model->tokenPrediction = trace::TokenPrediction::Replaced;
        else if (!run.spanLogProbabilities.empty())
            model->tokenPrediction = trace::TokenPrediction::Span;
        else if (model->tokenLabels > 0)
            model->tokenPrediction = trace::TokenPrediction::Labels;
        else if (!run.sourceLogProbabilities.empty() || !run.maskCandidates.empty())
            model->tokenPrediction = trace::TokenPrediction::Masked;
        model->saysDecoding = words_.saysDecoding;
        model->decoding = run.request.decoding;
        model->newTokens = std::max(1, run.request.paths.back().newTokens);
        model->recorded = std::make_shared<trace::Request>(run.request);
        for (const auto& other : beside)
            model->recordedBeside.push_back(std::make_shared<trace::Request>(other->request));
        return model;
    }

    std::filesystem::path path_;
    TraceTensors tensors_;
    TraceMetadata words_;
};

} // namespace

void refuseTrace(const std::filesystem::path& path) {
    if (isTrace(path))
        throw trace::Refusal({.what = "A trace holds one run, and no model that could read other sentences",
                              .where = path.string(),
                              .expected = "a model folder or a weights file",
                              .found = "a trace",
                              .wayOut = "name the model that it was recorded from"});
}

Trace readTrace(const std::filesystem::path& path, const std::stop_token& stop) {
    return TraceReader(path, stop).read();
}

} // namespace headscope::app
