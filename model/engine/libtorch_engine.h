#pragma once

#include "model/engine/decoding_session.h"
#include "model/engine/encoded_source.h"
#include "model/engine/engine.h"
#include "model/engine/open_model.h"

#include <memory>
#include <optional>

namespace headscope::engine {

/// Engine with LibTorch on the CPU.
class LibtorchEngine : public Engine {
  public:
    explicit LibtorchEngine(const EngineOptions& options);

    std::shared_ptr<const trace::ModelSummary> open(const ModelSource& source, std::stop_token stop) override;
    std::optional<Trial> tryOut(const ModelSource& source, const std::string& sentence,
                                std::stop_token stop) override;
    std::shared_ptr<const trace::Run> run(const trace::Request& request, std::stop_token stop,
                                          const Progress& progress) override;
    void convert(const std::filesystem::path& folder, Precision precision, std::stop_token stop) override;
    std::string description() const override;

  private:
    /// What later requests on the same source go on with.
    struct Kept {
        trace::Request request;
        EncodedSource source;
        std::optional<DecodingSession> session; ///< nothing for an encoder alone
    };

    Kept& keptFor(const trace::Request& request, std::stop_token stop);
    const OpenModel& model() const;

    EngineOptions options_;
    std::unique_ptr<OpenModel> model_;
    std::unique_ptr<Kept> kept_;
};

} // namespace headscope::engine
