#pragma once

#include "model/network/intervention.h"
#include "model/trace/intervention.h"
#include "model/trace/run.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headscope::engine {

/// Outputs of heads in unmodified runs: their means over the sample sentences, and their rows on any
/// sentence.
class HeadReplacements {
  public:
    /// Runs a sentence without interventions, recording the outputs of heads.
    using RunSentence = std::function<std::shared_ptr<const trace::Run>(const std::string&)>;

    explicit HeadReplacements(std::vector<std::string> samples) : samples_(std::move(samples)) {}

    /// Returns the outputs for the ReplaceHead among `changes`, in their order. Undefined for heads that the
    /// model does not have; the caller refuses these. Throws trace::Refusal if a mean is needed and there are
    /// no samples, or if another sentence is empty.
    std::vector<network::HeadOutput> outputs(const std::vector<trace::Change>& changes,
                                             const RunSentence& run);

  private:
    at::Tensor mean(const trace::HeadAddress& head, const RunSentence& run);
    void measureMeans(const RunSentence& run);

    std::vector<std::string> samples_;
    std::map<trace::HeadAddress, at::Tensor> means_; ///< of all heads, measured on first use
    std::string sentence_;
    std::shared_ptr<const trace::Run>
        resampled_; ///< of `sentence_`, the last one: many heads may be resampled
};

} // namespace headscope::engine
