#include "app/traces/trace_analyses.h"
#include "app/traces/trace_metadata.h"
#include "app/traces/trace_results.h"
#include "app/traces/trace_tensors.h"

#include <algorithm>
#include <array>
#include <string>

namespace headscope::app {

namespace {

using trace::AttentionKind;
using trace::HeadStack;
using trace::MapQuantity;
using trace::ScorePart;
using Records = std::vector<trace::AttentionRecord>;
using Shape = std::vector<std::int64_t>;

constexpr std::array scoreParts{ScorePart::Word, ScorePart::Position, ScorePart::Bias};

/// Returns the products in the order of the file.
std::vector<std::optional<trace::ScoreTerm::Product>> productsOf(std::size_t terms) {
    using Product = trace::ScoreTerm::Product;
    if (terms == 2)
        return {Product{ScorePart::Content, ScorePart::Content}, std::nullopt};
    std::vector<std::optional<Product>> products;
    for (const auto query : scoreParts)
        for (const auto key : scoreParts)
            products.push_back(Product{query, key});
    return products;
}

/// Returns the mask of roll-outs: source tokens are allowed unless they are padding, target tokens up to
/// their row, and in addition any cell with a contribution.
trace::MaskMatrix columnsReached(const HeadStack& values, const trace::Run& run, AttentionKind kind) {
    trace::MaskMatrix open(values.rows(), values.columns());
    for (std::size_t row = 0; row < open.rows(); ++row)
        for (std::size_t column = 0; column < open.columns(); ++column) {
            const bool ofSource = column < run.source.size();
            const bool mayReach = ofSource ? run.source[column].role != trace::TokenRole::Padding
                                           : kind != AttentionKind::EncoderSelf && !run.decoder.empty() &&
                                                 run.decoder.front().isOpen(row, column - run.source.size());
            open(row, column) = mayReach || values(0, row, column) > 0 ? 1 : 0;
        }
    return open;
}

class AnalysesReader {
  public:
    AnalysesReader(TraceTensors& tensors, const trace::Run& run) : tensors_(tensors), run_(run) {}

    TraceAnalyses read() {
        for (const auto* records : {&run_.encoder, &run_.decoder, &run_.cross}) {
            if (records->empty())
                continue;
            readTerms(*records);
            for (const auto& [quantity, name] : Names<MapQuantity>::table)
                if (quantity == MapQuantity::GradientAttention)
                    readGradients(*records);
                else
                    readMaps(*records, quantity);
        }
        return std::move(found_);
    }

  private:
    static std::string nameOf(const Records& records, std::string_view what) {
        return arrayName(records.front().site.kind, what);
    }

    /// Returns a function that gives views of the stacks of an array by index.
    auto stacksOf(const TraceTensors::Entry& entry, std::size_t heads, std::size_t rows,
                  std::size_t columns) {
        return [all = tensors_.values(entry), heads, rows, columns](std::size_t place) {
            return HeadStack(heads, rows, columns, {all, all.get() + place * heads * rows * columns});
        };
    }

    void readTerms(const Records& records) {
        const auto& first = records.front();
        if (first.site.kind == AttentionKind::Cross)
            return;
        const auto name = nameOf(records, scoreTermsName);
        const auto* stored =
            tensors_.find(name, {-1, -1, size(first.heads()), size(first.queries()), size(first.keys())});
        if (!stored)
            return;
        const auto layers = static_cast<std::size_t>(stored->shape[0]),
                   terms = static_cast<std::size_t>(stored->shape[1]);
        if ((layers != 1 && layers != records.size()) || (terms != 2 && terms != 9) || first.scores.empty())
            return tensors_.addFinding("\"" + name +
                                       "\" is not of the first layer or of all, not of two or "
                                       "nine terms, or there are no scores that they sum to");
        const auto products = productsOf(terms);
        const auto stack = stacksOf(*stored, first.heads(), first.queries(), first.keys());
        for (std::size_t layer = 0; layer < layers; ++layer) {
            auto found = std::make_shared<trace::ScoreTerms>();
            found->site = records[layer].site;
            found->tokens = run_.queryTokens(first.site.kind);
            for (std::size_t term = 0; term < terms; ++term)
                found->terms.push_back({.product = products[term], .values = stack(layer * terms + term)});
            found->scores = records[layer].scores;
            found->mask = records[layer].mask;
            found_.scoreTerms.push_back(std::move(found));
        }
    }

    void readMaps(const Records& records, MapQuantity quantity) {
        const auto& first = records.front();
        const auto kind = first.site.kind;
        const bool perHead = trace::isPerHead(quantity);
        const auto columns =
            perHead ? first.keys()
                    : run_.source.size() + (kind == AttentionKind::EncoderSelf ? 0 : run_.target.size());
        const auto layers = size(records.size()), rows = size(first.queries());
        const auto* stored = tensors_.find(nameOf(records, app::nameOf(quantity)),
                                           perHead ? Shape{layers, size(first.heads()), rows, size(columns)}
                                                   : Shape{layers, rows, size(columns)});
        if (!stored)
            return;
        const auto stack = stacksOf(*stored, perHead ? first.heads() : 1, first.queries(), columns);
        for (std::size_t layer = 0; layer < records.size(); ++layer) {
            auto maps = mapsOf(records[layer], quantity, stack(layer));
            if (!perHead) {
                maps->mask = columnsReached(maps->values, run_, kind);
                maps->sourceColumns = run_.source.size();
            }
            found_.maps.push_back(std::move(maps));
        }
    }

    void readGradients(const Records& records) {
        const auto& first = records.front();
        const auto steps = run_.target.empty() ? run_.classLogProbabilities.size() : run_.target.size();
        const auto* stored = tensors_.find(nameOf(records, app::nameOf(MapQuantity::GradientAttention)),
                                           {size(steps), size(records.size()), size(first.heads()),
                                            size(first.queries()), size(first.keys())});
        if (!stored || steps == 0)
            return;
        const auto stack = stacksOf(*stored, first.heads(), first.queries(), first.keys());
        for (std::size_t step = 0; step < steps; ++step)
            for (std::size_t layer = 0; layer < records.size(); ++layer) {
                auto maps = mapsOf(records[layer], MapQuantity::GradientAttention,
                                   stack(step * records.size() + layer));
                maps->step = step;
                maps->token = tokenOf(step);
                maps->contrast = contrastOf(step);
                found_.maps.push_back(std::move(maps));
            }
    }

    std::shared_ptr<trace::QuantityMaps> mapsOf(const trace::AttentionRecord& record, MapQuantity quantity,
                                                HeadStack values) const {
        auto maps = std::make_shared<trace::QuantityMaps>();
        maps->quantity = quantity;
        maps->site = record.site;
        maps->values = std::move(values);
        maps->mask = record.mask;
        maps->sourceColumns = record.site.kind == AttentionKind::DecoderSelf ? 0 : record.keys();
        return maps;
    }

    /// Returns the token whose logit is explained: the chosen token of the step, or a classifier's class
    /// `step`.
    std::optional<trace::Token> tokenOf(std::size_t step) const {
        return run_.target.empty() ? trace::Token{.id = static_cast<std::int64_t>(step), .piece = "class"}
                                   : run_.next[step];
    }

    /// Returns the token for comparison; of files that do not store it, the one that the request names.
    std::optional<trace::Token> contrastOf(std::size_t step) const {
        const auto& said = run_.request.ratherThan;
        if (!said || run_.contrast)
            return run_.contrast;
        for (const auto& candidate :
             run_.target.empty() ? std::vector<trace::Candidate>() : run_.row(step).candidates)
            if (candidate.token.piece == *said || candidate.token.piece == "\u2581" + *said)
                return candidate.token;
        return trace::Token{.id = -1, .piece = *said};
    }

    TraceTensors& tensors_;
    const trace::Run& run_;
    TraceAnalyses found_;
};

} // namespace

TraceAnalyses readAnalyses(TraceTensors& tensors, const TraceMetadata& words, const trace::Run& run) {
    auto analyses = AnalysesReader(tensors, run).read();
    if (words.lens)
        analyses.lens = readLens(tensors, *words.lens, run);
    if (words.importance)
        analyses.importance = readImportance(tensors, *words.importance, run);
    analyses.classifier = readClassifier(tensors, run);
    if (words.flow)
        analyses.flow = readFlow(tensors, *words.flow, run);
    return analyses;
}

} // namespace headscope::app
