#pragma once

#include "model/engine/blas.h"
#include "model/engine/decoding_session.h"
#include "model/engine/encoded_source.h"
#include "model/engine/engine.h"
#include "model/engine/head_replacements.h"
#include "model/engine/open_model.h"

#include <cstdint>
#include <list>
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
    trace::Answer answer(const trace::Question& question, const trace::Task& work,
                         const trace::Partial& partial) override;
    std::vector<trace::Token> tokensOf(const std::string& text,
                                       const std::optional<std::string>& second) override;
    std::vector<trace::Token> tokensByPattern(const std::string& pattern, const std::string& text) override;
    void convert(const std::filesystem::path& folder, files::ElementType matrices,
                 std::stop_token stop) override;
    std::string description() const override;

  private:
    /// A network and the measured outputs of its heads.
    struct Subject {
        std::unique_ptr<OpenModel> model;
        HeadReplacements replacements;
    };

    /// State reused by later requests on the same source.
    struct Kept {
        Subject* subject = nullptr;
        trace::Request request;
        std::vector<network::HeadOutput> outputs; ///< replacements of head outputs
        network::Interventions interventions;
        EncodedSource source;
        std::optional<DecodingSession> session; ///< nullopt for encoder-only models
    };

    /// Returns null if the source of the request is not encoded yet.
    Kept* knownFor(const trace::Request& request);
    Kept& keptFor(const trace::Request& request, const trace::Task& work);
    std::unique_ptr<Kept> keep(const trace::Request& request, const trace::Task& work);
    /// Returns the share of source encoding in the work of reading source and forced target.
    double shareOfEncoding(const trace::Request& request);
    std::shared_ptr<const trace::Run> runKept(Kept& kept, const trace::Request& request,
                                              const trace::Task& work, const trace::Partial& partial);
    /// Returns the outputs of the ReplaceHead in `changes`, measured without any changes.
    std::vector<network::HeadOutput> replacementsOf(const std::vector<trace::Change>& changes,
                                                    std::optional<std::uint64_t> randomTwin, Subject& subject,
                                                    std::stop_token stop);
    /// Returns the sample sentences for a model: its own, or those of the options.
    const std::vector<std::string>& samplesFor(const trace::ModelSummary& model) const;
    /// Returns the open model, or its random twin if the request asks for it. Only the last twin is kept.
    Subject& subjectOf(const trace::Request& request, std::stop_token stop);
    Subject& opened() const;

    EngineOptions options_;
    BlasMemory blas_;
    std::unique_ptr<Subject> opened_;
    std::unique_ptr<Subject> twin_; ///< random twin of the open model
    std::uint64_t twinSeed_ = 0;
    std::list<std::unique_ptr<Kept>> kept_; ///< most recently used first
};

} // namespace headscope::engine
