#include "model/analysis/heads/corpus_reading.h"

#include "model/analysis/runs_beside.h"

namespace headscope::analysis {

CorpusReading NextSentenceWhat::ask(trace::Answers& model, const trace::Task& work) const {
    auto reading = *before;
    const auto& corpus = *reading.corpus;
    const auto& sentence = corpus.sentences.at(reading.done++);
    const trace::Request request{.source = sentence,
                                 .paths = {{.newTokens = corpus.newTokens}},
                                 .decoding = corpus.decoding,
                                 .candidates = 1};
    const auto headsOf = [&](const trace::Run& run) { return statisticsOfHeads(run, work.stop()); };
    try {
        const auto run = model.of(request, trace::RunWhat(), work.stop());
        const auto heads = headsOf(*run);
        if (corpus.twinSeed) {
            const auto twin = twinReadingRequest(request, *run, *corpus.twinSeed);
            reading.twin.add(sentence, headsOf(*model.of(twin, trace::RunWhat(), work.stop())));
        }
        reading.model.add(sentence, heads);
    } catch (const trace::Refusal&) { // the others go on
        ++reading.refused;
    }
    return reading;
}

} // namespace headscope::analysis
