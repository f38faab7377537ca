#include "app/traces/array_fields.h"
#include "app/traces/trace_analyses.h"
#include "app/traces/trace_metadata.h"
#include "app/traces/trace_results.h"

#include <algorithm>
#include <array>
#include <set>

namespace headscope::app {

namespace {

using files::NamedArray;
using trace::AttentionKind;
using trace::HeadStack;
using trace::MapQuantity;
using trace::ScorePart;
using Records = std::vector<trace::AttentionRecord>;

constexpr const char* scoreTermsName = "score_terms";
/// In the order of the file, as the kinds of attention are.
constexpr std::array quantities{MapQuantity::Contribution, MapQuantity::GradientAttention,
                                MapQuantity::NormWeighted, MapQuantity::Rollout};

constexpr std::array scoreParts{ScorePart::Word, ScorePart::Position, ScorePart::Bias};

/// Returns the products in the order of the file.
std::vector<std::optional<trace::ScoreTerm::Product>> productsOf(std::size_t terms) {
    using Product = trace::ScoreTerm::Product;
    if (terms == 2)
        return {Product{ScorePart::Content, ScorePart::Content}, std::nullopt};
    if (terms == 3)
        return {Product{ScorePart::Content, ScorePart::Content},
                Product{ScorePart::Content, ScorePart::Position},
                Product{ScorePart::Position, ScorePart::Content}};
    std::vector<std::optional<Product>> products;
    for (const auto query : scoreParts)
        for (const auto key : scoreParts)
            products.push_back(Product{query, key});
    return products;
}

/// Number of source tokens among the columns of roll-outs. A model that only has a decoder is fed the source
/// as the beginning of its target.
std::size_t sourceColumnsOf(const trace::Run& run) {
    return run.encoder.empty() && run.cross.empty() ? 0 : run.source.size();
}

/// Returns the mask of roll-outs: source tokens are allowed unless they are padding, target tokens up to
/// their row, and in addition any cell with a contribution.
trace::MaskMatrix columnsReached(const HeadStack& values, const trace::Run& run, AttentionKind kind) {
    trace::MaskMatrix open(values.rows(), values.columns());
    const auto sources = sourceColumnsOf(run);
    for (std::size_t row = 0; row < open.rows(); ++row)
        for (std::size_t column = 0; column < open.columns(); ++column) {
            const bool ofSource = column < sources;
            const bool mayReach = ofSource ? run.source[column].role != trace::TokenRole::Padding
                                           : kind != AttentionKind::EncoderSelf && !run.decoder.empty() &&
                                                 run.decoder.front().isOpen(row, column - sources);
            open(row, column) = mayReach || values(0, row, column) > 0 ? 1 : 0;
        }
    return open;
}

/// Gradients are ordered by step, then by layer. All maps are in the list already.
template <class Arrays, class Maps>
bool mapArray(Arrays& arrays, AttentionKind kind, MapQuantity quantity, const Maps& maps, std::size_t layers,
              const Shape& inner) {
    Shape outer{size(layers)};
    if (quantity == MapQuantity::GradientAttention)
        outer.insert(outer.begin(), size(maps.size() / layers));
    return arrays.stacks(
        arrayName(kind, nameOf(quantity)), outer,
        inner, [&](std::size_t i) -> auto& { return maps[i]->values; });
}

/// The terms are in the layers already, as many in each.
template <class Arrays, class Layers>
bool termArray(Arrays& arrays, const Layers& layers, const Shape& inner) {
    const auto each = layers.front()->terms.size();
    return arrays.stacks(
        arrayName(layers.front()->site.kind, scoreTermsName), {size(layers.size()), size(each)},
        inner, [&](std::size_t i) -> auto& { return layers[i / each]->terms[i % each].values; });
}

/// Returns the token whose logit is explained: the chosen token of the step, or a classifier's class
/// `step`.
std::optional<trace::Token> tokenOf(const trace::Run& run, std::size_t step) {
    return run.target.empty() ? trace::Token{.id = static_cast<std::int64_t>(step), .piece = "class"}
                              : run.next[step];
}

/// Returns the token for comparison; of files that do not store it, the one that the request names.
std::optional<trace::Token> contrastOf(const trace::Run& run, std::size_t step) {
    const auto& said = run.request.ratherThan;
    if (!said || run.contrast)
        return run.contrast;
    for (const auto& candidate :
         run.target.empty() ? std::vector<trace::Candidate>() : run.row(step).candidates)
        if (candidate.token.piece == *said || candidate.token.piece == "\u2581" + *said)
            return candidate.token;
    return trace::Token{.id = -1, .piece = *said};
}

void readTerms(ArrayReader& reader, TraceTensors& tensors, const trace::Run& run, const Records& records,
               std::vector<std::shared_ptr<const trace::ScoreTerms>>& found) {
    const auto& first = records.front();
    if (first.site.kind == AttentionKind::Cross)
        return;
    const Shape inner{size(first.heads()), size(first.queries()), size(first.keys())};
    const auto name = arrayName(first.site.kind, scoreTermsName);
    const auto* stored = tensors.find(name, {-1, -1, inner[0], inner[1], inner[2]});
    if (!stored)
        return;
    const auto layers = count(stored->shape[0]), terms = count(stored->shape[1]);
    if ((layers != 1 && layers != records.size()) || (terms != 2 && terms != 3 && terms != 9) ||
        first.scores.empty())
        return tensors.addFinding("\"" + name +
                                  "\" is not of the first layer or of all, not of two, three or nine terms, "
                                  "or there are no scores that they sum to");
    std::vector<std::shared_ptr<trace::ScoreTerms>> read;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        read.push_back(std::make_shared<trace::ScoreTerms>());
        read.back()->site = records[layer].site;
        read.back()->tokens = run.queryTokens(first.site.kind);
        for (const auto& product : productsOf(terms))
            read.back()->terms.push_back({.product = product, .values = {}});
        read.back()->scores = records[layer].scores;
        read.back()->mask = records[layer].mask;
    }
    termArray(reader, read, inner);
    found.insert(found.end(), read.begin(), read.end());
}

void readMaps(ArrayReader& reader, const trace::Run& run, const Records& records, MapQuantity quantity,
              std::vector<std::shared_ptr<const trace::QuantityMaps>>& found) {
    const auto& first = records.front();
    const auto kind = first.site.kind;
    const bool isPerHead = trace::isPerHead(quantity),
               isGradient = quantity == MapQuantity::GradientAttention;
    const auto rows = size(first.queries());
    Shape inner{size(first.heads()), rows, size(first.keys())};
    if (!isPerHead)
        inner = {rows,
                 size(sourceColumnsOf(run) + (kind == AttentionKind::EncoderSelf ? 0 : run.target.size()))};
    const auto steps = !isGradient          ? 1
                       : run.target.empty() ? run.classLogProbabilities.size()
                                            : run.target.size();
    std::vector<std::shared_ptr<trace::QuantityMaps>> read;
    for (std::size_t step = 0; step < steps; ++step)
        for (const auto& record : records) {
            read.push_back(std::make_shared<trace::QuantityMaps>());
            read.back()->quantity = quantity;
            read.back()->site = record.site;
            read.back()->step = step;
        }
    if (!mapArray(reader, kind, quantity, read, records.size(), inner))
        return;
    for (std::size_t i = 0; i < read.size(); ++i) {
        auto& maps = *read[i];
        const auto& record = records[i % records.size()];
        maps.mask = isPerHead ? record.mask : columnsReached(maps.values, run, kind);
        maps.sourceColumns = !isPerHead                           ? sourceColumnsOf(run)
                             : kind == AttentionKind::DecoderSelf ? 0
                                                                  : record.keys();
        if (isGradient) {
            maps.token = tokenOf(run, maps.step);
            maps.contrast = contrastOf(run, maps.step);
        }
    }
    found.insert(found.end(), read.begin(), read.end());
}

} // namespace

std::vector<NamedArray> analysisArrays(const TraceAnalyses& analyses) {
    ArrayWriter writer;
    const auto of = [](AttentionKind kind, const auto& all) {
        auto some = all;
        std::erase_if(some, [=](const auto& each) { return each->site.kind != kind; });
        return some;
    };
    for (const auto kind : {AttentionKind::Cross, AttentionKind::DecoderSelf, AttentionKind::EncoderSelf}) {
        for (const auto quantity : quantities) {
            auto maps = of(kind, analyses.maps);
            std::erase_if(maps, [=](const auto& each) { return each->quantity != quantity; });
            std::set<int> layers;
            for (const auto& each : maps)
                layers.insert(each->site.layer);
            if (!maps.empty())
                mapArray(writer, kind, quantity, maps, layers.size(),
                         trace::isPerHead(quantity) ? Shape{-1, -1, -1} : Shape{-1, -1});
        }
        if (const auto terms = of(kind, analyses.scoreTerms); !terms.empty())
            termArray(writer, terms, {-1, -1, -1});
    }
    auto arrays = writer.arrays();
    const auto add = [&](std::vector<NamedArray> more) {
        std::ranges::move(more, std::back_inserter(arrays));
    };
    if (analyses.lens)
        add(lensArrays(*analyses.lens));
    if (analyses.importance)
        add(importanceArrays(*analyses.importance));
    if (analyses.importance && !analyses.removals.empty())
        add(removalArrays(*analyses.importance, analyses.removals));
    if (!analyses.knockOut.empty())
        add(knockOutArrays(analyses.knockOut));
    if (analyses.classifier)
        add(classifierArrays(*analyses.classifier));
    if (analyses.flow)
        add(flowArrays(*analyses.flow));
    if (analyses.experts)
        add(expertArrays(*analyses.experts));
    return arrays;
}

TraceAnalyses readAnalyses(TraceTensors& tensors, const TraceMetadata& words, const trace::Run& run) {
    TraceAnalyses analyses;
    ArrayReader reader(tensors);
    for (const auto* records : {&run.encoder, &run.decoder, &run.cross}) {
        if (records->empty())
            continue;
        readTerms(reader, tensors, run, *records, analyses.scoreTerms);
        for (const auto quantity : quantities)
            readMaps(reader, run, *records, quantity, analyses.maps);
    }
    if (words.lens)
        analyses.lens = readLens(tensors, *words.lens, run);
    if (words.importance)
        analyses.importance = readImportance(tensors, *words.importance, run);
    if (analyses.importance)
        analyses.removals = readRemovals(tensors, *analyses.importance);
    analyses.knockOut = readKnockOut(tensors, run);
    analyses.classifier = readClassifier(tensors, run);
    analyses.experts = readExperts(tensors, run);
    if (words.flow)
        analyses.flow = readFlow(tensors, *words.flow, run);
    return analyses;
}

} // namespace headscope::app
