#include "app/plain/model_or_trace.h"

#include "app/plain/command_line_text.h"
#include "app/plain/read_trace.h"
#include "model/trace/refusal.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace headscope::app {

namespace {

using engine::ModelSource;
using trace::AttentionSite;
using trace::Request;

/// The rows of the recorded path, with the same tokens chosen after them: reading it again gives nothing
/// else.
bool readsAgain(const trace::DecodePath& path, const trace::Run& recorded) {
    trace::TargetIds said;
    for (const auto node : recorded.path)
        if (const auto& token = recorded.tree.node(node).token;
            said.ids.empty() || token.role != trace::TokenRole::Padding)
            said.ids.push_back(token.id);
    const bool isReference = trace::readsReference(recorded);
    return !said.ids.empty() && path.forced == trace::TargetPrefix(std::move(said)) &&
           (isReference ? path.newTokens == 0 : path.newTokens == 1 && path.ends);
}

/// What was asked for is what was recorded, whatever else may be kept of it.
bool isRecorded(Request asked, const trace::Run& recorded) {
    const auto& known = recorded.request;
    asked.recording = known.recording;
    asked.candidates = known.candidates;
    asked.ratherThan = known.ratherThan;
    if (asked.paths.size() == 1 && readsAgain(asked.paths.front(), recorded))
        asked.paths = known.paths;
    return asked == known;
}

class ModelOrTrace : public engine::Engine {
  public:
    explicit ModelOrTrace(LoadModels load, std::unique_ptr<engine::Engine> models = nullptr)
        : load_(std::move(load)), models_(std::move(models)) {}

    std::shared_ptr<const trace::ModelSummary> open(const ModelSource& source,
                                                    std::stop_token stop) override {
        if (!source.randomSeed && isTrace(source.path)) {
            auto read = readTrace(source.path, stop);
            trace_ = std::move(read.run);
            analyses_ = std::move(read.analyses);
            return trace_->model;
        }
        auto model = loaded().open(source, stop);
        trace_.reset();
        analyses_ = {};
        return model;
    }

    std::optional<engine::Trial> tryOut(const ModelSource& source, const std::string& sentence,
                                        std::stop_token stop) override {
        return loaded().tryOut(source, sentence, stop);
    }

    std::shared_ptr<const trace::Run> run(const Request& request, const trace::LongWork& work,
                                          const Progress& progress) override {
        return trace_ ? recorded(request) : loaded().run(request, work, progress);
    }

    std::shared_ptr<const trace::HeadImportance> importance(const Request& request, std::stop_token stop,
                                                            const ImportanceProgress& progress) override {
        return trace_ ? recordedImportance(request) : models_->importance(request, stop, progress);
    }

    std::shared_ptr<const trace::Lens> lens(const Request& request, std::stop_token stop) override {
        return trace_ ? recordedLens(request) : models_->lens(request, stop);
    }

    std::shared_ptr<const trace::QuantityMaps> maps(const Request& request, trace::MapQuantity quantity,
                                                    const AttentionSite& site, std::size_t step,
                                                    std::stop_token stop) override {
        return trace_ ? recordedMaps(request, quantity, site, step)
                      : loaded().maps(request, quantity, site, step, stop);
    }

    std::shared_ptr<const trace::ScoreTerms> scoreTerms(const Request& request, const AttentionSite& site,
                                                        std::stop_token stop) override {
        return trace_ ? recordedTerms(request, site) : loaded().scoreTerms(request, site, stop);
    }

    std::shared_ptr<const trace::RowContributions> rowContributions(const Request& request,
                                                                    const trace::HeadAddress& head,
                                                                    std::size_t query,
                                                                    std::stop_token stop) override {
        return models().rowContributions(request, head, query, stop);
    }

    std::shared_ptr<const trace::CausalRow> causalRow(const Request& request, std::size_t step,
                                                      std::optional<trace::HeadAddress> head,
                                                      trace::KeyRange keys, std::stop_token stop) override {
        return models().causalRow(request, step, head, keys, stop);
    }

    std::shared_ptr<const trace::ModelFlow> flow(const Request& request, std::stop_token stop) override {
        return models().flow(request, stop);
    }

    std::shared_ptr<const trace::ClassifierReading> classifierReading(const Request& request,
                                                                      std::stop_token stop) override {
        return models().classifierReading(request, stop);
    }

    void convert(const std::filesystem::path& folder, engine::Precision precision,
                 std::stop_token stop) override {
        models().convert(folder, precision, stop);
    }

    std::string description() const override { return models_ ? models_->description() : std::string(); }

  private:
    [[noreturn]] void refuse(const std::string& what, const std::string& wayOut) const {
        throw trace::Refusal({.what = what, .where = trace_->model->path, .wayOut = wayOut});
    }

    /// The engine, for what a trace cannot give.
    engine::Engine& models() const {
        if (trace_)
            refuse("A trace holds what one run computed, and no model that could compute more",
                   "open the model that it was recorded from");
        return loaded();
    }

    engine::Engine& loaded() const {
        std::call_once(once_, [this] {
            if (!models_)
                models_ = load_();
        });
        return *models_;
    }

    void refuseOthers(const Request& request) const {
        if (!isRecorded(request, *trace_))
            refuse("A trace holds one run, and no model that could run something else",
                   "open the model that it was recorded from");
    }

    /// Whatever the step, where it is no gradient.
    std::shared_ptr<const trace::QuantityMaps> recordedMaps(const Request& request,
                                                            trace::MapQuantity quantity,
                                                            const AttentionSite& site,
                                                            std::size_t step) const {
        refuseOthers(request);
        const bool isGradient = quantity == trace::MapQuantity::GradientAttention;
        const std::size_t wanted = isGradient ? step : 0;
        if (isGradient && request.ratherThan != trace_->request.ratherThan)
            refuse("This trace holds no gradients of a logit that is held against this token's",
                   "record it with them: headscope-cli trace --gradients --rather-than=TOKEN");
        const auto& maps = analyses_.maps;
        const auto found = std::ranges::find_if(maps, [&](const auto& each) {
            return each->quantity == quantity && each->site == site && each->step == wanted;
        });
        if (found == maps.end() && isGradient)
            refuse("This trace holds no gradients", "record it with them: headscope-cli trace --gradients");
        if (found == maps.end())
            refuse("This trace holds the weights, and not what is computed of them with the model",
                   "record it with that: headscope-cli trace --quantities");
        return answer(**found, request);
    }

    std::shared_ptr<const trace::ScoreTerms> recordedTerms(const Request& request,
                                                           const AttentionSite& site) const {
        refuseOthers(request);
        const auto& terms = analyses_.scoreTerms;
        const auto found = std::ranges::find(terms, site, [](const auto& each) { return each->site; });
        if (found == terms.end())
            refuse("This trace holds no terms of the scores",
                   "record it with them: headscope-cli trace --score-terms");
        return answer(**found, request);
    }

    std::shared_ptr<const trace::HeadImportance> recordedImportance(const Request& request) const {
        refuseOthers(request);
        if (!analyses_.importance)
            refuse("This trace does not hold what its heads are worth",
                   "record it with that: headscope-cli trace --importance");
        if (request.ratherThan != trace_->request.ratherThan)
            refuse("This trace does not hold what its heads are worth against " + contrastIn(request),
                   "record it with that: headscope-cli trace --importance" + contrastOptionOf(request));
        return answer(*analyses_.importance, request);
    }

    /// What the layers say is the same, whatever the parts of logits are held against.
    std::shared_ptr<const trace::Lens> recordedLens(const Request& request) const {
        refuseOthers(request);
        const auto& lens = analyses_.lens;
        if (!lens)
            refuse("This trace does not hold what its layers say, nor what its logits are made of",
                   "record it with that: headscope-cli trace --attribution, or --lens for what the layers "
                   "say alone");
        auto said = *lens;
        said.request = request;
        const bool splits = said.whyNoAttribution.empty();
        if (splits && said.attributions.empty())
            said.whyNoAttribution = "This trace does not hold what its logits are made of. Record it with "
                                    "that: headscope-cli trace --attribution.";
        else if (splits && request.ratherThan != trace_->request.ratherThan) {
            said.attributions.clear();
            said.whyNoAttribution = "This trace does not hold the parts of logits against " +
                                    contrastIn(request) + ". Record it with them: headscope-cli trace " +
                                    "--attribution" + contrastOptionOf(request) + ".";
        }
        return std::make_shared<const trace::Lens>(std::move(said));
    }

    static std::string contrastIn(const Request& request) {
        return request.ratherThan ? "\"" + *request.ratherThan + "\"" : "no other token";
    }
    static std::string contrastOptionOf(const Request& request) {
        return request.ratherThan ? " --rather-than=" + shellQuoted(*request.ratherThan) : std::string();
    }

    /// The maps are looks at the same numbers.
    template <class Value>
    static std::shared_ptr<const Value> answer(const Value& recorded, const Request& request) {
        auto answer = std::make_shared<Value>(recorded);
        answer->request = request;
        return answer;
    }

    std::shared_ptr<const trace::Run> recorded(const Request& request) const {
        const auto& known = trace_->request;
        refuseOthers(request);
        const auto &asked = request.recording, &has = known.recording;
        if (asked.projections && !has.projections)
            refuse("This trace holds no queries, keys and values",
                   "record it with them: headscope-cli trace --qkv");
        if (asked.residual && !has.residual)
            refuse("This trace holds nothing of the residual stream",
                   "record it with it: headscope-cli trace --residual");
        if (asked.encoderOutput && !has.encoderOutput)
            refuse("This trace does not hold what the encoder gave to the decoder",
                   "record it with it: headscope-cli trace --hidden");
        if (request == known)
            return trace_;
        return answer(*trace_, request);
    }

    LoadModels load_;
    mutable std::once_flag once_;
    mutable std::unique_ptr<engine::Engine> models_; ///< null: none was opened yet
    std::shared_ptr<const trace::Run> trace_;        ///< null: a model is open
    TraceAnalyses analyses_;                         ///< of it
};

} // namespace

std::unique_ptr<engine::Engine> withTraces(std::unique_ptr<engine::Engine> models) {
    return std::make_unique<ModelOrTrace>(nullptr, std::move(models));
}

std::unique_ptr<engine::Engine> withTraces(LoadModels load) {
    return std::make_unique<ModelOrTrace>(std::move(load));
}

} // namespace headscope::app
