#include "app/traces/model_or_trace.h"

#include "app/traces/recorded_trace.h"

#include <mutex>
#include <optional>
#include <utility>

namespace headscope::app {

namespace {

using engine::ModelSource;
using trace::AttentionSite;
using trace::Request;

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

    std::shared_ptr<const trace::Run> run(const Request& request, const trace::Task& work,
                                          const Progress& progress) override {
        return trace_ ? trace_->run(request) : loaded().run(request, work, progress);
    }

    std::shared_ptr<const trace::HeadImportance> importance(const Request& request, std::stop_token stop,
                                                            const ImportanceProgress& progress) override {
        return trace_ ? trace_->importance(request) : models_->importance(request, stop, progress);
    }

    std::shared_ptr<const trace::Lens> lens(const Request& request, std::stop_token stop) override {
        return trace_ ? trace_->lens(request) : models_->lens(request, stop);
    }

    std::shared_ptr<const trace::QuantityMaps> maps(const Request& request, trace::MapQuantity quantity,
                                                    const AttentionSite& site, std::size_t step,
                                                    std::stop_token stop) override {
        return trace_ ? trace_->maps(request, quantity, site, step)
                      : loaded().maps(request, quantity, site, step, stop);
    }

    std::shared_ptr<const trace::ScoreTerms> scoreTerms(const Request& request, const AttentionSite& site,
                                                        std::stop_token stop) override {
        return trace_ ? trace_->scoreTerms(request, site) : loaded().scoreTerms(request, site, stop);
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
        return trace_ ? trace_->flow(request) : loaded().flow(request, stop);
    }

    std::shared_ptr<const trace::ClassifierReading> classifierReading(const Request& request,
                                                                      std::stop_token stop) override {
        return trace_ ? trace_->classifierReading(request) : loaded().classifierReading(request, stop);
    }

    void convert(const std::filesystem::path& folder, files::ElementType matrices,
                 std::stop_token stop) override {
        models().convert(folder, matrices, stop);
    }

    std::string description() const override { return models_ ? models_->description() : std::string(); }

  private:
    /// Returns the engine for requests that need a model. Throws if a trace is open.
    engine::Engine& models() const {
        if (trace_)
            trace_->refuseToCompute();
        return loaded();
    }

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
