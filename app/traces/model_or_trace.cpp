#include "app/traces/model_or_trace.h"

#include "app/traces/recorded_trace.h"

#include <mutex>
#include <optional>
#include <utility>

namespace headscope::app {

namespace {

using engine::ModelSource;

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
