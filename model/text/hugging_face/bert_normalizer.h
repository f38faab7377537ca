#pragma once

#include "model/text/hugging_face/normalizer.h"

namespace headscope::text {

/// BERT's own cleaning: drops control characters, makes spaces of white space, puts spaces around Chinese
/// characters, drops accents and lowers letters.
class BertNormalizer : public Normalizer {
  public:
    BertNormalizer(const nlohmann::json& stage, const std::string& where);
    void normalize(AlignedText& text) const override;

  private:
    bool cleans_;
    bool spacesChinese_;
    bool lowers_;
    bool stripsAccents_; ///< if the file does not say: the same as `lowers_`
};

} // namespace headscope::text
