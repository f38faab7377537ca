#include "model/engine/head_replacements.h"

#include "model/engine/tensor_values.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

namespace headscope::engine {

namespace {

/// [rows, d_k]; undefined if there is no such head.
at::Tensor outputsOf(const trace::Run& run, const trace::HeadAddress& head) {
    const auto* record = run.record(head.site);
    if (!record || head.head >= record->outputs.heads())
        return {};
    return overValues(record->outputs)[head.head].clone();
}

} // namespace

std::vector<network::HeadOutput> HeadReplacements::outputs(const std::vector<trace::Change>& changes,
                                                           const RunSentence& run) {
    const auto runOf = [&](const std::string& sentence) -> const trace::Run& {
        if (sentence.empty())
            throw trace::Refusal({.what = "There is no other sentence to resample heads from",
                                  .where = "the ablation",
                                  .expected = "a sentence",
                                  .found = "none",
                                  .wayOut = "give one, or another ablation: zero or mean"});
        if (!resampled_ || sentence != sentence_) {
            resampled_ = run(sentence);
            sentence_ = sentence;
        }
        return *resampled_;
    };
    std::vector<network::HeadOutput> outputs;
    for (const auto& change : changes)
        if (const auto* replaced = std::get_if<trace::ReplaceHead>(&change))
            outputs.push_back({.head = replaced->head,
                               .values = replaced->sentence
                                             ? outputsOf(runOf(*replaced->sentence), replaced->head)
                                             : mean(replaced->head, run)});
    return outputs;
}

at::Tensor HeadReplacements::mean(const trace::HeadAddress& head, const RunSentence& run) {
    if (means_.empty())
        measureMeans(run);
    const auto found = means_.find(head);
    return found == means_.end() ? at::Tensor() : found->second;
}

/// Averages over the rows of all samples together, so that every token has the same weight.
void HeadReplacements::measureMeans(const RunSentence& run) {
    if (samples_.empty())
        throw trace::Refusal({.what = "There are no sentences to take a mean over",
                              .where = "--mean-head",
                              .expected = "the sample sentences that come with the program",
                              .found = "none",
                              .wayOut = "give --resample-head with a sentence, or reinstall the program"});
    std::map<trace::HeadAddress, at::Tensor> sums;
    std::map<trace::HeadAddress, std::int64_t> rows;
    for (const auto& sample : samples_) {
        const auto ran = run(sample);
        for (const auto* records : {&ran->encoder, &ran->decoder, &ran->cross})
            for (const auto& record : *records)
                for (std::size_t head = 0; head < record.outputs.heads(); ++head) {
                    const trace::HeadAddress address{record.site, head};
                    const auto outputs = outputsOf(*ran, address).to(at::kDouble);
                    const auto [at, isNew] = sums.emplace(address, outputs.sum(0));
                    if (!isNew)
                        at->second += outputs.sum(0);
                    rows[address] += outputs.size(0);
                }
    }
    for (const auto& [head, sum] : sums)
        means_[head] = (sum / rows[head]).to(at::kFloat);
}

} // namespace headscope::engine
