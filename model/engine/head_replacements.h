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

/// What heads put out where nothing is changed: their means over sample sentences, and their rows on any
/// sentence.
class HeadReplacements {
  public:
    /// Runs a sentence undisturbed, with the heads' outputs recorded.
    using RunSentence = std::function<std::shared_ptr<const trace::Run>(const std::string&)>;

    explicit HeadReplacements(std::vector<std::string> samples) : samples_(std::move(samples)) {}

    /// Of the ReplaceHead among `changes`, in their order. Heads that the model does not have are left
    /// undefined: who applies them refuses them. Throws trace::Refusal where there are no samples.
    std::vector<network::HeadOutput> outputs(const std::vector<trace::Change>& changes,
                                             const RunSentence& run);

  private:
    at::Tensor mean(const trace::HeadAddress& head, const RunSentence& run);
    void measureMeans(const RunSentence& run);

    std::vector<std::string> samples_;
    std::map<trace::HeadAddress, at::Tensor> means_; ///< of all heads, once one was asked for
};

} // namespace headscope::engine
