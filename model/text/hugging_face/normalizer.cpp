#include "model/text/hugging_face/normalizer.h"

#include "model/files/limited_json.h"
#include "model/text/hugging_face/pattern.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unicode.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace headscope::text {

namespace {

using nlohmann::json;

class NormalizerSequence : public Normalizer {
  public:
    NormalizerSequence(const json& stage, const std::string& where) {
        for (const auto& part : files::arrayAt(stage, "normalizers", where))
            if (auto normalizer = readNormalizer(part, where))
                parts_.push_back(std::move(normalizer));
    }
    void normalize(AlignedText& text) const override {
        for (const auto& part : parts_)
            part->normalize(text);
    }

  private:
    std::vector<std::unique_ptr<const Normalizer>> parts_;
};

class UnicodeNormalizer : public Normalizer {
  public:
    explicit UnicodeNormalizer(NormalForm form) : form_(form) {}
    void normalize(AlignedText& text) const override { text::normalize(text, form_); }

  private:
    NormalForm form_;
};

} // namespace

std::unique_ptr<const Normalizer> readNormalizer(const json& stage, const std::string& where) {
    if (stage.is_null())
        return nullptr;
    static const std::map<std::string, NormalForm> forms{{"NFC", NormalForm::Nfc},
                                                         {"NFD", NormalForm::Nfd},
                                                         {"NFKC", NormalForm::Nfkc},
                                                         {"NFKD", NormalForm::Nfkd}};
    const auto type = files::stringAt(stage, "type", where);
    const auto place = where + ", " + type;
    if (type == "Sequence")
        return std::make_unique<NormalizerSequence>(stage, place);
    if (const auto form = forms.find(type); form != forms.end())
        return std::make_unique<UnicodeNormalizer>(form->second);
    refuseType(where, "Sequence, NFC, NFD, NFKC, NFKD", type);
}

} // namespace headscope::text
