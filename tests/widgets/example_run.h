#pragma once

#include "model/trace/run.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

/// A small plausible run, written by hand: English to German, three layers of eight heads.
namespace headscope::example {

/// Of source and target.
enum class Language {
    EnglishGerman,
    RightToLeft, ///< Hebrew to Arabic
    Chinese,     ///< Chinese to Japanese
    Mixed,       ///< many scripts, bytes and what cannot be seen
};

struct Options {
    int repeats = 1;       ///< how often the sentence is said
    int sourcePadding = 0; ///< tokens appended
    int heads = 8;
    int layers = 3;
    bool positions = true;
    Language language = Language::EnglishGerman;
};

inline trace::Token token(std::int64_t id, std::string piece,
                          trace::TokenRole role = trace::TokenRole::Text) {
    return {.id = id, .piece = std::move(piece), .role = role};
}

inline std::vector<trace::Token> tokens(std::initializer_list<const char*> pieces, int repeats) {
    std::vector<trace::Token> all;
    for (int i = 0; i < repeats; ++i)
        for (const char* piece : pieces)
            all.push_back(token(static_cast<std::int64_t>(10 + all.size()), piece));
    return all;
}

/// sin and cos of position / 10000^(2i / width), interleaved (Vaswani et al. 2017, section 3.5).
inline trace::Matrix sinusoids(std::size_t positions, std::size_t width) {
    trace::Matrix table(positions, width);
    for (std::size_t p = 0; p < positions; ++p)
        for (std::size_t i = 0; i < width; ++i) {
            const double angle = static_cast<double>(p) / std::pow(10000.0, static_cast<double>(i - i % 2) /
                                                                                static_cast<double>(width));
            table(p, i) = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    return table;
}

/// Scores that prefer the diagonal of the map, more or less sharply from head to head, and their softmax.
inline trace::AttentionRecord record(trace::AttentionSite site, std::size_t heads,
                                     const trace::MaskMatrix& mask) {
    const std::size_t rows = mask.rows();
    const std::size_t columns = mask.columns();
    trace::AttentionRecord made{
        .site = site, .mask = mask, .scores = {heads, rows, columns}, .weights = {heads, rows, columns}};
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t r = 0; r < rows; ++r) {
            const double target =
                static_cast<double>(r * columns) / static_cast<double>(rows) - double(h % 3);
            double sum = 0;
            for (std::size_t c = 0; c < columns; ++c) {
                const double distance = std::abs(static_cast<double>(c) - target);
                const double wave =
                    std::sin(static_cast<double>(r * 7 + c * 3 + h * 5 + std::size_t(site.layer)));
                const double score = 4 - distance * (0.3 + 0.3 * static_cast<double>(h)) + wave * 0.6;
                made.scores.at(h, r, c) = static_cast<float>(score);
                if (mask(r, c))
                    sum += std::exp(score);
            }
            for (std::size_t c = 0; c < columns; ++c)
                if (mask(r, c))
                    made.weights.at(h, r, c) =
                        static_cast<float>(std::exp(double(made.scores(h, r, c))) / sum);
        }
    return made;
}

inline trace::MaskMatrix allowedKeys(std::size_t queries, const std::vector<trace::Token>& keys,
                                     bool causal) {
    trace::MaskMatrix mask(queries, keys.size());
    for (std::size_t r = 0; r < queries; ++r)
        for (std::size_t c = 0; c < keys.size(); ++c)
            mask(r, c) = keys[c].role != trace::TokenRole::Padding && (!causal || c <= r);
    return mask;
}

inline std::shared_ptr<trace::ModelSummary> model(const Options& options) {
    auto summary = std::make_shared<trace::ModelSummary>();
    summary->name = "example-en-de";
    summary->encoderLayers = summary->decoderLayers = options.layers;
    summary->encoderHeads = summary->decoderHeads = options.heads;
    summary->modelWidth = 64;
    summary->tokenizer = "example";
    summary->sourceLanguage = "en";
    summary->targetLanguage = "de";
    if (options.positions)
        summary->sourcePositions = summary->targetPositions = std::make_shared<const trace::Matrix>(
            sinusoids(std::max<std::size_t>(512, static_cast<std::size_t>(options.repeats) * 12), 64));
    return summary;
}

inline std::vector<trace::Candidate> candidates(const trace::Token& chosen) {
    std::vector<trace::Candidate> best{{.token = chosen, .logProbability = -0.18f}};
    int rank = 1;
    for (const char* piece :
         {"▁Frau", "▁Kind", "▁eine", "▁Schwester", "en", "▁das", "</s>", "▁Mutter", "▁Töchterchen"})
        best.push_back(
            {.token = token(900 + rank, piece), .logProbability = -2.2f - 0.7f * static_cast<float>(rank++)});
    return best;
}

inline void decode(trace::Run& run) {
    for (std::size_t t = 0; t < run.target.size(); ++t) {
        auto row = std::make_shared<trace::DecodeRow>();
        row->candidates = candidates(run.next[t]);
        if (run.model->targetPositions) {
            const auto added = run.model->targetPositions->row(t);
            row->position.assign(added.begin(), added.end());
        }
        trace::DecodeNode node{.token = run.target[t], .row = std::move(row)};
        if (t > 0)
            node.parent = run.path.back();
        run.path.push_back(run.tree.add(std::move(node)));
    }
}

inline std::vector<trace::Token> sourceTokens(const Options& options) {
    switch (options.language) {
    case Language::EnglishGerman:
        break;
    case Language::RightToLeft:
        return tokens({"▁האיש", "▁הזקן", "▁נתן", "▁ל", "בת", "ו", "▁ספר", "▁אדום", "."}, options.repeats);
    case Language::Chinese:
        return tokens({"▁", "老人", "给", "了", "他的", "女儿", "一", "本", "红色", "的", "书", "。"},
                      options.repeats);
    case Language::Mixed:
        return tokens({"▁سلام", "عليكم.", "▁שלום", "▁世界", "e", "\u0301", "▁\u093F", "▁é", "<b>", "&amp;",
                       "<0xE2>", "<0x82>", "<0xAC>", "<0xE2>", "\t", "\u202E", "▁", "😀"},
                      options.repeats);
    }
    return tokens({"▁The", "▁old", "▁man", "▁gave", "▁his", "▁daughter", "▁a", "▁red", "▁book", "."},
                  options.repeats);
}

inline std::vector<trace::Token> targetTokens(const Options& options) {
    switch (options.language) {
    case Language::EnglishGerman:
        break;
    case Language::RightToLeft:
        return tokens({"▁أعطى", "▁الرجل", "▁العجوز", "▁ابنت", "ه", "▁كتابا", "▁أحمر", "."}, options.repeats);
    case Language::Chinese:
        return tokens({"▁", "老人", "は", "娘", "に", "赤い", "本", "を", "あ", "げ", "た", "。"},
                      options.repeats);
    case Language::Mixed:
        return tokens({"<0xD0>", "<0x96>", "▁مدرسة", "שבת", "▁日本語",
                       "▁Donaudampfschifffahrtsgesellschaftskapitän", "<i>kursiv</i>", "\n", "\u200D",
                       "👨\u200D👩\u200D👧", "▁नमस्ते", "ﬁ"},
                      options.repeats);
    }
    return tokens(
        {"▁Der", "▁alte", "▁Mann", "▁gab", "▁seiner", "▁Tochter", "▁ein", "▁rot", "es", "▁Buch", "."},
        options.repeats);
}

inline std::shared_ptr<trace::Run> run(const Options& options = {}) {
    using trace::AttentionKind;
    auto made = std::make_shared<trace::Run>();
    made->model = model(options);
    made->request.source = std::string("The old man gave his daughter a red book.");
    made->request.padding.source = options.sourcePadding;
    made->source = sourceTokens(options);
    made->source.push_back(token(3, "</s>", trace::TokenRole::End));
    for (int i = 0; i < options.sourcePadding; ++i)
        made->source.push_back(token(0, "<pad>", trace::TokenRole::Padding));
    made->next = targetTokens(options);
    made->target = made->next;
    made->target.insert(made->target.begin(), token(2, "<s>", trace::TokenRole::Start));
    made->next.push_back(token(3, "</s>", trace::TokenRole::End));
    for (int layer = 0; layer < options.layers; ++layer) {
        const auto heads = static_cast<std::size_t>(options.heads);
        const auto add = [&](std::vector<trace::AttentionRecord>& records, AttentionKind kind, bool causal) {
            records.push_back(
                record({kind, layer}, heads,
                       allowedKeys(made->queryTokens(kind).size(), made->keyTokens(kind), causal)));
        };
        add(made->encoder, AttentionKind::EncoderSelf, false);
        add(made->decoder, AttentionKind::DecoderSelf, true);
        add(made->cross, AttentionKind::Cross, false);
    }
    if (made->model->sourcePositions)
        made->sourcePositions = sinusoids(made->source.size(), 64);
    decode(*made);
    made->output = "Der alte Mann gab seiner Tochter ein rotes Buch.";
    made->selfCheck = {.rowsSumToOne = {trace::CheckState::Ok, 1.2e-7, 1e-5},
                       .maskedCellsAreZero = {trace::CheckState::Ok, 0, 0},
                       .weightsAreSoftmax = {trace::CheckState::Ok, 1.8e-7, 1e-5},
                       .logProbabilities = {trace::CheckState::Ok, 2.4e-7, 1e-4},
                       .cachedEqualsFullPass = {trace::CheckState::Ok, 3.1e-7, 1e-5}};
    made->device = "cpu";
    made->complete = true;
    return made;
}

/// cross.2.5
inline constexpr trace::HeadAddress aligningHead{{trace::AttentionKind::Cross, 2}, 5};

} // namespace headscope::example
