#include "app/traces/model_or_trace.h"

#include "app/command_line_text.h"
#include "app/traces/read_trace.h"
#include "model/analysis/runs_beside.h"
#include "model/trace/recorded_runs.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace headscope::app {

namespace {

using engine::ModelSource;
using trace::Request;

/// Whether `path` only reads the recorded path again: same rows and same chosen tokens.
bool readsAgain(const trace::DecodePath& path, const trace::Run& recorded) {
    trace::TargetIds said;
    for (const auto node : trace::pathWithoutPadding(recorded))
        said.ids.push_back(recorded.tree.node(node).token.id);
    const bool isReference = trace::readsReference(recorded);
    return !said.ids.empty() && path.forced == trace::TargetPrefix(std::move(said)) &&
           (isReference ? path.newTokens == 0 : path.newTokens == 1 && path.ends);
}

/// Whether `asked` is the recorded request with all of its paths or only the shown one; it may record less
/// or more.
bool isRecorded(Request asked, const trace::Run& recorded) {
    const auto& known = recorded.request;
    asked.recording = known.recording;
    asked.candidates = known.candidates;
    asked.ratherThan = known.ratherThan;
    if (asked.paths.size() == 1 &&
        (asked.paths.front() == known.paths.back() || readsAgain(asked.paths.front(), recorded)))
        asked.paths = known.paths;
    return asked == known;
}

std::string contrastIn(const Request& request) {
    return request.ratherThan ? " compared with \"" + *request.ratherThan + "\""
                              : " without a token to compare with";
}
std::string contrastOptionOf(const Request& request) {
    return request.ratherThan ? " --rather-than=" + shellQuoted(*request.ratherThan) : std::string();
}

/// Returns a copy for `request`; maps share their numbers with `recorded`.
template <class Value>
std::shared_ptr<const Value> copyFor(const Request& request, const Value& recorded) {
    auto copy = std::make_shared<Value>(recorded);
    copy->request = request;
    return copy;
}

/// The same curve at some of its points.
trace::RemovalCurve atPoints(trace::RemovalCurve curve, const std::vector<std::size_t>& removed) {
    std::vector<std::vector<float>> values;
    for (const auto point : removed)
        values.push_back(std::move(curve.values[static_cast<std::size_t>(
            std::ranges::lower_bound(curve.removed, point) - curve.removed.begin())]));
    curve.values = std::move(values);
    curve.removed = removed;
    return curve;
}

/// An open trace. Returns recorded results and throws trace::Refusal for everything else, naming the option
/// that would record it, if there is one.
class RecordedTrace {
  public:
    explicit RecordedTrace(Trace trace) : trace_(std::move(trace)) {}

    const std::shared_ptr<const trace::ModelSummary>& model() const { return trace_.run->model; }

    trace::Answer answer(const trace::Question& question) const;

    /// Throws the error for requests that always need the model.
    [[noreturn]] void refuseToCompute() const;

  private:
    /// The shown run, or a recorded run that it is compared with.
    std::shared_ptr<const trace::Run> run(const trace::Request& request) const;
    std::shared_ptr<const trace::HeadImportance> importance(const trace::Request& request,
                                                            const trace::ImportanceWhat& what) const;
    std::shared_ptr<const trace::RemovalCurve> removal(const trace::Request& request,
                                                       const trace::RemovalWhat& what) const;
    std::shared_ptr<const trace::CausalRow> knockOut(const trace::Request& request,
                                                     const trace::CausalRowWhat& what) const;
    std::shared_ptr<const trace::Lens> lens(const trace::Request& request) const;
    std::shared_ptr<const trace::QuantityMaps> maps(const trace::Request& request,
                                                    const trace::MapsWhat& what) const;
    std::shared_ptr<const trace::ScoreTerms> scoreTerms(const trace::Request& request,
                                                        const trace::ScoreTermsWhat& what) const;
    std::shared_ptr<const trace::ModelFlow> flow(const trace::Request& request) const;
    std::shared_ptr<const trace::ClassifierReading> classifierReading(const trace::Request& request) const;
    std::shared_ptr<const trace::ExpertRouting> experts(const trace::Request& request) const;

    [[noreturn]] void refuse(const std::string& what, const std::string& wayOut) const;
    std::string recordWith(const std::string& option) const;
    /// Throws unless `request` is that of the shown run.
    void refuseOthers(const trace::Request& request) const;
    const std::shared_ptr<const trace::Run>& held(const trace::Request& request) const;

    Trace trace_;
};

void RecordedTrace::refuse(const std::string& what, const std::string& wayOut) const {
    throw trace::Refusal({.what = what, .where = model()->path, .wayOut = wayOut});
}

trace::Answer RecordedTrace::answer(const trace::Question& question) const {
    const auto& request = question.request;
    const trace::ByKind answers{
        [&](const trace::RunWhat&) -> trace::Answer { return run(request); },
        [&](const trace::LensWhat&) -> trace::Answer { return lens(request); },
        [&](const trace::ImportanceWhat& what) -> trace::Answer { return importance(request, what); },
        [&](const trace::RemovalWhat& what) -> trace::Answer { return removal(request, what); },
        [&](const trace::CausalRowWhat& what) -> trace::Answer { return knockOut(request, what); },
        [&](const trace::MapsWhat& what) -> trace::Answer { return maps(request, what); },
        [&](const trace::ScoreTermsWhat& what) -> trace::Answer { return scoreTerms(request, what); },
        [&](const trace::FlowWhat&) -> trace::Answer { return flow(request); },
        [&](const trace::ClassifierWhat&) -> trace::Answer { return classifierReading(request); },
        [&](const trace::RoutingWhat&) -> trace::Answer { return experts(request); },
        [&](const auto&) -> trace::Answer { refuseToCompute(); },
    };
    return std::visit(answers, question.what);
}

void RecordedTrace::refuseToCompute() const {
    refuse("A trace holds what one run computed, and no model that could compute more",
           "open the model that it was recorded from");
}

/// Returns a hint how to record an analysis; traces of other programs are not written by this program.
std::string RecordedTrace::recordWith(const std::string& option) const {
    const std::string command = "record it with that: headscope-cli trace " + option;
    return model()->family.empty() ? command + ", or write it as the manual page traces.md describes"
                                   : command;
}

void RecordedTrace::refuseOthers(const Request& request) const {
    const auto& run = *trace_.run;
    if (isRecorded(request, run))
        return;
    auto itself = request; // the request without the twin that it asks for
    itself.paths = {request.paths.back()};
    auto changed = itself;
    itself.randomTwin = run.request.randomTwin;
    changed.interventions = run.request.interventions;
    const bool isRead = run.path.empty() || readsAgain(request.paths.back(), run);
    if (isRead && request.randomTwin && isRecorded(itself, run)) {
        const auto held = trace::recordedTwin(*model());
        refuse(held ? "This trace holds the random twin of seed " + std::to_string(*held) + " alone"
                    : "This trace does not hold its random twin",
               recordWith("--twin " + std::to_string(*request.randomTwin)));
    }
    const bool isOriginal = request.interventions.empty() && !changed.interventions.empty();
    if (isOriginal && isRecorded(changed, run) && !trace::holdsOriginal(*model()))
        refuse("This trace does not hold the run without its changes", recordWith("--undisturbed"));
    refuse("A trace holds one run, and no model that could run something else",
           "open the model that it was recorded from");
}

const std::shared_ptr<const trace::Run>& RecordedTrace::held(const Request& request) const {
    const auto& beside = trace_.analyses.beside;
    const auto other =
        std::ranges::find_if(beside, [&](const auto& run) { return isRecorded(request, *run); });
    if (other != beside.end() && !isRecorded(request, *trace_.run))
        return *other;
    refuseOthers(request);
    return trace_.run;
}

std::shared_ptr<const trace::Run> RecordedTrace::run(const Request& request) const {
    const auto& run = held(request);
    const auto& known = run->request;
    const auto &asked = request.recording, &has = known.recording;
    if (asked.projections && !has.projections)
        refuse("This trace holds no queries, keys and values", recordWith("--qkv"));
    if (asked.residual && !has.residual)
        refuse("This trace holds nothing of the residual stream", recordWith("--residual"));
    if (asked.encoderOutput && !has.encoderOutput)
        refuse("This trace does not hold what the encoder gave to the decoder", recordWith("--hidden"));
    const bool isSameContrast = request.ratherThan == known.ratherThan;
    const bool isForWhatIf = run != trace_.run && request.randomTwin == trace_.run->request.randomTwin;
    if (isForWhatIf && request.ratherThan && !(isSameContrast && run->contrast) &&
        run->classLogProbabilities.empty()) // of which all are shown
        refuse("This trace has no changes" + contrastIn(request),
               recordWith("--undisturbed" + contrastOptionOf(request)));
    if (request == known)
        return run;
    auto same = std::make_shared<trace::Run>(*run);
    same->request = request;
    if (!isSameContrast)
        same->contrast.reset();
    if (const auto shown = trace::shownPath(*run); shown && request.paths.size() < run->paths.size())
        same->paths = {run->paths[*shown]};
    return same;
}

std::shared_ptr<const trace::QuantityMaps> RecordedTrace::maps(const Request& request,
                                                               const trace::MapsWhat& what) const {
    refuseOthers(request);
    const bool isGradient = what.quantity == trace::MapQuantity::GradientAttention;
    const std::size_t wanted = isGradient ? what.step : 0;
    if (isGradient && request.ratherThan != trace_.run->request.ratherThan)
        refuse("This trace has no gradients" + contrastIn(request),
               recordWith("--gradients" + contrastOptionOf(request)));
    const auto& held = trace_.analyses.maps;
    const auto found = std::ranges::find_if(held, [&](const auto& each) {
        return each->quantity == what.quantity && each->site == what.site && each->step == wanted;
    });
    if (found == held.end() && isGradient)
        refuse("This trace holds no gradients", recordWith("--gradients"));
    if (found == held.end())
        refuse("This trace holds the weights, and not what is computed of them with the model",
               recordWith("--quantities"));
    return copyFor(request, **found);
}

std::shared_ptr<const trace::ScoreTerms> RecordedTrace::scoreTerms(const Request& request,
                                                                   const trace::ScoreTermsWhat& what) const {
    refuseOthers(request);
    const auto& terms = trace_.analyses.scoreTerms;
    const auto found = std::ranges::find(terms, what.site, [](const auto& each) { return each->site; });
    if (found == terms.end())
        refuse("This trace holds no terms of the scores", recordWith("--score-terms"));
    return copyFor(request, **found);
}

std::shared_ptr<const trace::HeadImportance>
RecordedTrace::importance(const Request& request, const trace::ImportanceWhat& what) const {
    refuseOthers(request);
    if (!trace_.analyses.importance)
        refuse("This trace does not hold what its heads are worth", recordWith("--importance"));
    if (request.ratherThan != trace_.run->request.ratherThan)
        refuse("This trace has no head importance" + contrastIn(request),
               recordWith("--importance" + contrastOptionOf(request)));
    if (const auto& held = trace_.analyses.importance->ablation; what.ablation != held)
        refuse("This trace has the head importance by the ablation \"" + toString(held) + "\" alone",
               recordWith("--importance --ablation=" + shellQuoted(toString(what.ablation))));
    return copyFor(request, *trace_.analyses.importance);
}

std::shared_ptr<const trace::RemovalCurve> RecordedTrace::removal(const Request& request,
                                                                  const trace::RemovalWhat& what) const {
    importance(request, {what.ablation}); // of which the curves are
    for (const auto& curve : trace_.analyses.removals)
        if (curve->order == what.order && std::ranges::includes(curve->removed, what.removed))
            return std::make_shared<const trace::RemovalCurve>(
                atPoints(*copyFor(request, *curve), what.removed));
    refuse("This trace holds no removal curves", recordWith("--curve" + contrastOptionOf(request)));
}

/// Parts of the source have NaN outside, as the model says it.
std::shared_ptr<const trace::CausalRow> RecordedTrace::knockOut(const Request& request,
                                                                const trace::CausalRowWhat& what) const {
    refuseOthers(request);
    const auto& rows = trace_.analyses.knockOut;
    if (rows.empty())
        refuse("This trace holds no knock-out losses", recordWith("--knock-out" + contrastOptionOf(request)));
    if (what.head || what.step >= rows.size())
        refuse("This trace holds the knock-out losses of its steps in all heads together alone",
               "open the model that it was recorded from");
    if (request.ratherThan != trace_.run->request.ratherThan)
        refuse("This trace has no knock-out losses" + contrastIn(request),
               recordWith("--knock-out" + contrastOptionOf(request)));
    auto row = *rows[what.step];
    row.request = request;
    for (std::size_t key = 0; key < row.drops.size(); ++key)
        if (key < what.keys.first || key >= what.keys.last)
            row.drops[key] = std::numeric_limits<double>::quiet_NaN();
    return std::make_shared<const trace::CausalRow>(std::move(row));
}

/// Without a token to compare with, the lens of a trace that has one is still known; the parts of its logits
/// are not.
std::shared_ptr<const trace::Lens> RecordedTrace::lens(const Request& request) const {
    refuseOthers(request);
    const auto& lens = trace_.analyses.lens;
    if (!lens)
        refuse("This trace does not hold what its layers say, nor what its logits are made of",
               recordWith("--attribution, or --lens for what the layers say alone"));
    const bool isOther = request.ratherThan != trace_.run->request.ratherThan;
    if (request.ratherThan && isOther)
        refuse("This trace has no logit lens" + contrastIn(request),
               recordWith("--attribution" + contrastOptionOf(request)));
    auto said = *lens;
    said.request = request;
    if (!request.ratherThan) {
        said.contrast.reset();
        for (auto& step : said.readings)
            for (auto& reading : step)
                reading.lead.reset();
    }
    const bool splits = said.whyNoAttribution.empty();
    if (splits && said.attributions.empty())
        said.whyNoAttribution = "This trace does not hold what its logits are made of. Record it with "
                                "that: headscope-cli trace --attribution.";
    else if (splits && isOther) {
        said.attributions.clear();
        said.whyNoAttribution = "This trace has no parts of logits" + contrastIn(request) +
                                ". Record it with them: headscope-cli trace --attribution" +
                                contrastOptionOf(request) + ".";
    }
    return std::make_shared<const trace::Lens>(std::move(said));
}

std::shared_ptr<const trace::ClassifierReading>
RecordedTrace::classifierReading(const Request& request) const {
    refuseOthers(request);
    if (!trace_.analyses.classifier)
        refuse("This trace does not hold what its answer is made of", recordWith("--reading"));
    return copyFor(request, *trace_.analyses.classifier);
}

std::shared_ptr<const trace::ModelFlow> RecordedTrace::flow(const Request& request) const {
    auto asked = request; // the flow covers fed tokens only, possibly without the last of the path
    if (asked.paths == analysis::fedRequest(trace_.run->request, *trace_.run).paths)
        asked.paths = trace_.run->request.paths;
    refuseOthers(asked);
    if (!trace_.analyses.flow)
        refuse("This trace does not hold what flowed through its model", recordWith("--flow"));
    return copyFor(request, *trace_.analyses.flow);
}

std::shared_ptr<const trace::ExpertRouting> RecordedTrace::experts(const Request& request) const {
    refuseOthers(request);
    if (!trace_.analyses.experts)
        refuse("This trace does not hold which experts its tokens use", recordWith("--experts"));
    return copyFor(request, *trace_.analyses.experts);
}

class ModelOrTrace : public engine::Engine {
  public:
    explicit ModelOrTrace(LoadModels load, std::unique_ptr<engine::Engine> models = nullptr)
        : load_(std::move(load)), models_(std::move(models)) {}

    std::shared_ptr<const trace::ModelSummary> open(const ModelSource& source,
                                                    std::stop_token stop) override {
        if (!source.randomSeed && isTrace(source.path)) {
            trace_.emplace(readTrace(source.path, stop));
            return trace_->model();
        }
        auto model = loaded().open(source, stop);
        trace_.reset();
        return model;
    }

    std::optional<engine::Trial> tryOut(const ModelSource& source, const std::string& sentence,
                                        std::stop_token stop) override {
        return loaded().tryOut(source, sentence, stop);
    }

    trace::Answer answer(const trace::Question& question, const trace::Task& work,
                         const trace::Partial& partial) override {
        return trace_ ? trace_->answer(question) : loaded().answer(question, work, partial);
    }

    std::vector<trace::Token> tokensOf(const std::string& text,
                                       const std::optional<std::string>& second) override {
        if (trace_)
            trace_->refuseToCompute();
        return loaded().tokensOf(text, second);
    }

    std::vector<trace::Token> tokensByPattern(const std::string& pattern, const std::string& text) override {
        if (trace_)
            trace_->refuseToCompute();
        return loaded().tokensByPattern(pattern, text);
    }

    void convert(const std::filesystem::path& folder, files::ElementType matrices,
                 std::stop_token stop) override {
        if (trace_)
            trace_->refuseToCompute();
        loaded().convert(folder, matrices, stop);
    }

    std::string description() const override { return models_ ? models_->description() : std::string(); }

  private:
    engine::Engine& loaded() const {
        std::call_once(once_, [this] {
            if (!models_)
                models_ = load_();
        });
        return *models_;
    }

    LoadModels load_;
    mutable std::once_flag once_;
    mutable std::unique_ptr<engine::Engine> models_; ///< null until a model is opened
    std::optional<RecordedTrace> trace_;             ///< empty if a model is open
};

} // namespace

std::unique_ptr<engine::Engine> withTraces(std::unique_ptr<engine::Engine> models) {
    return std::make_unique<ModelOrTrace>(nullptr, std::move(models));
}

std::unique_ptr<engine::Engine> withTraces(LoadModels load) {
    return std::make_unique<ModelOrTrace>(std::move(load));
}

} // namespace headscope::app
