#pragma once

#include "app/traces/read_trace.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace headscope::app {

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
    std::shared_ptr<const trace::HeadImportance> importance(const trace::Request& request) const;
    std::shared_ptr<const trace::Lens> lens(const trace::Request& request) const;
    std::shared_ptr<const trace::QuantityMaps> maps(const trace::Request& request,
                                                    const trace::MapsWhat& what) const;
    std::shared_ptr<const trace::ScoreTerms> scoreTerms(const trace::Request& request,
                                                        const trace::ScoreTermsWhat& what) const;
    std::shared_ptr<const trace::ModelFlow> flow(const trace::Request& request) const;
    std::shared_ptr<const trace::ClassifierReading> classifierReading(const trace::Request& request) const;

    [[noreturn]] void refuse(const std::string& what, const std::string& wayOut) const;
    std::string recordWith(const std::string& option) const;
    /// Throws unless `request` is that of the shown run.
    void refuseOthers(const trace::Request& request) const;
    const std::shared_ptr<const trace::Run>& held(const trace::Request& request) const;

    Trace trace_;
};

} // namespace headscope::app
