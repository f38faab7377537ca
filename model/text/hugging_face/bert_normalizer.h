#pragma once

#include "model/text/hugging_face/normalizer.h"

namespace headscope::text {

/// BERT's normalisation: drops control characters, turns white space into spaces, adds spaces around Chinese
/// characters, strips accents and converts to lower case.
class BertNormalizer : public Normalizer {
  public:
    BertNormalizer(const nlohmann::json& stage, const std::string& where);
    void normalize(AlignedText& text) const override;

  private:
    bool cleans_;
    bool spacesChinese_;
    bool lowers_;
    bool stripsAccents_; ///< default: `lowers_`
};

} // namespace headscope::text
