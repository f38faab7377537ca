#include "app/plain/model_or_trace.h"

#include "app/plain/read_trace.h"
#include "model/trace/refusal.h"

#include <utility>

namespace headscope::app {

namespace {

using engine::ModelSource;
using trace::AttentionSite;
using trace::Request;

/// What was asked for is what was recorded, whatever else may be kept of it.
bool isRecorded(Request asked, const Request& recorded) {
    asked.recording = recorded.recording;
    asked.candidates = recorded.candidates;
    asked.ratherThan = recorded.ratherThan;
    return asked == recorded;
}

class ModelOrTrace : public engine::Engine {
  public:
    explicit ModelOrTrace(std::unique_ptr<engine::Engine> models) : models_(std::move(models)) {}

    std::shared_ptr<const trace::ModelSummary> open(const ModelSource& source,
                                                    std::stop_token stop) override {
        if (!source.randomSeed && isTrace(source.path)) {
            trace_ = readTrace(source.path, stop);
            return trace_->model;
        }
        auto model = models_->open(source, stop);
        trace_.reset();
        return model;
    }

    std::optional<engine::Trial> tryOut(const ModelSource& source, const std::string& sentence,
                                        std::stop_token stop) override {
        return models_->tryOut(source, sentence, stop);
    }

    std::shared_ptr<const trace::Run> run(const Request& request, const trace::LongWork& work,
                                          const Progress& progress) override {
        return trace_ ? recorded(request) : models_->run(request, work, progress);
    }

    std::shared_ptr<const trace::HeadImportance> importance(const Request& request, std::stop_token stop,
                                                            const ImportanceProgress& progress) override {
        return models().importance(request, stop, progress);
    }

    std::shared_ptr<const trace::Lens> lens(const Request& request, std::stop_token stop) override {
        return models().lens(request, stop);
    }

    std::shared_ptr<const trace::QuantityMaps> maps(const Request& request, trace::MapQuantity quantity,
                                                    const AttentionSite& site, std::size_t step,
                                                    std::stop_token stop) override {
        return models().maps(request, quantity, site, step, stop);
    }

    std::shared_ptr<const trace::ScoreTerms> scoreTerms(const Request& request, const AttentionSite& site,
                                                        std::stop_token stop) override {
        return models().scoreTerms(request, site, stop);
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

    std::string description() const override { return models_->description(); }

  private:
    [[noreturn]] void refuse(const std::string& what, const std::string& wayOut) const {
        throw trace::Refusal({.what = what, .where = trace_->model->path, .wayOut = wayOut});
    }

    /// The engine, for what a trace cannot give.
    engine::Engine& models() const {
        if (trace_)
            refuse("A trace holds what one run computed, and no model that could compute more",
                   "open the model that it was recorded from");
        return *models_;
    }

    std::shared_ptr<const trace::Run> recorded(const Request& request) const {
        const auto& known = trace_->request;
        if (!isRecorded(request, known))
            refuse("A trace holds one run, and no model that could run something else",
                   "open the model that it was recorded from");
        const auto &asked = request.recording, &has = known.recording;
        if (asked.projections && !has.projections)
            refuse("This trace holds no queries, keys and values",
                   "record it with them: headscope-cli trace --qkv");
        if ((asked.residual && !has.residual) || (asked.encoderOutput && !has.encoderOutput))
            refuse("This trace holds nothing of the residual stream",
                   "record it with it: headscope-cli trace --residual --hidden");
        if (request == known)
            return trace_;
        auto answer = std::make_shared<trace::Run>(*trace_); // the maps are looks at the same numbers
        answer->request = request;
        return answer;
    }

    std::unique_ptr<engine::Engine> models_;
    std::shared_ptr<const trace::Run> trace_; ///< null: a model is open
};

} // namespace

std::unique_ptr<engine::Engine> withTraces(std::unique_ptr<engine::Engine> models) {
    return std::make_unique<ModelOrTrace>(std::move(models));
}

} // namespace headscope::app
