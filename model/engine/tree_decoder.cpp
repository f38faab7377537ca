#include "model/engine/tree_decoder.h"

#include "model/decoding/best_ids.h"
#include "model/decoding/sampling.h"
#include "model/engine/run_memory.h"
#include "model/files/available_memory.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <string>
#include <utility>

namespace headscope::engine {

namespace {

using trace::Refusal;
using trace::TokenRole;

/// Adapts the rows of the session to a search.
class SessionScorer : public decoding::NextTokenScorer {
  public:
    SessionScorer(DecodingSession& session, std::stop_token stop)
        : session_(session), stop_(std::move(stop)) {}

    std::span<const float> logProbabilities(const std::vector<std::int64_t>& fed) override {
        session_.row(fed, stop_);
        return session_.logProbabilities(fed);
    }

  private:
    DecodingSession& session_;
    std::stop_token stop_;
};

} // namespace

TreeDecoder::TreeDecoder(const OpenModel& model, const EncodedSource& source, DecodingSession& session,
                         const trace::Request& request, std::stop_token stop)
    : model_(model), source_(source), session_(session), request_(request), stop_(std::move(stop)),
      wholePasses_(trace::breaksCausality(request.interventions)) {
    decoding::refuseImpossible(request.decoding);
    if (wholePasses_ && request.decoding.beam > 1)
        throw Refusal({.what = "Beam search needs the subsequent mask",
                       .where = "the decoding options",
                       .expected = "a beam of 1 where the mask is lifted",
                       .found = "a beam of " + std::to_string(request.decoding.beam),
                       .wayOut = "decode greedily, or force a target"});
    if (request.padding.target > 0 && !model.summary->special.padding)
        model.settings.refuse("pad_id", "the id of the padding token, because padding was asked for");
}

std::vector<std::int64_t> TreeDecoder::forcedIds(const trace::TargetPrefix& forced) const {
    if (const auto* given = std::get_if<trace::TargetIds>(&forced)) {
        for (const auto id : given->ids)
            if (id < 0 || id >= model_.summary->targetVocabulary)
                throw Refusal(
                    {.what = "The target has an id that the model does not know",
                     .where = "the target ids",
                     .expected = "ids from 0 to " + std::to_string(model_.summary->targetVocabulary - 1),
                     .found = std::to_string(id),
                     .wayOut = "use the ids of this model's vocabulary"});
        if (given->ids.empty())
            throw Refusal({.what = "There is nothing to feed the decoder",
                           .where = "the target ids",
                           .expected = "at least the start token's id",
                           .found = "none",
                           .wayOut = "begin with the start token's id"});
        return given->ids;
    }
    auto ids = startIds();
    if (const auto* text = std::get_if<std::string>(&forced)) {
        if (!model_.tokenizer)
            throw Refusal({.what = "This model reads ids only: it has no tokenizer",
                           .where = model_.summary->path,
                           .expected = "ids",
                           .found = "a sentence",
                           .wayOut = "give --target-ids instead of a sentence"});
        if (const auto first = model_.firstOfTargetText())
            ids.push_back(*first);
        for (const auto& token : model_.tokenizer->encodeTarget(*text))
            ids.push_back(token.id);
    }
    return ids;
}

std::vector<std::int64_t> TreeDecoder::startIds() const {
    if (model_.summary->isDecoderAlone())
        return trace::idsOf(source_.tokens);
    const auto start = model_.summary->special.start;
    if (!start)
        model_.settings.refuse("start_id", "the id of the token the decoder is fed first");
    return {*start};
}

std::size_t TreeDecoder::startTokens() const {
    return model_.summary->isDecoderAlone() ? source_.tokens.size() : 1;
}

std::int64_t TreeDecoder::longestTarget() const {
    const auto& config = model_.network->config();
    return config.rowsOf(config.decoder).usable;
}

void TreeDecoder::refuseTooLongTarget(std::int64_t tokens) const {
    const auto longest = longestTarget();
    if (longest > 0 && tokens > longest)
        throw Refusal({.what = "The target is longer than the model's positions",
                       .where = "the target",
                       .expected = "at most " + std::to_string(longest) + " tokens",
                       .found = std::to_string(tokens) + " tokens",
                       .wayOut = "shorten it"});
}

std::vector<std::int64_t> TreeDecoder::fedAlong(NodeId leaf) const {
    std::vector<std::int64_t> ids;
    for (const auto node : tree_.path(leaf))
        ids.push_back(tree_.node(node).token.id);
    return ids;
}

TreeDecoder::NodeId TreeDecoder::childOf(NodeId parent, const trace::Token& token) {
    if (const auto child = tree_.child(parent, token.id))
        return *child;
    const auto all = session_.logProbabilities(fedAlong(parent));
    return tree_.add({.parent = parent,
                      .token = token,
                      .logProbability = all[token.id],
                      .rank = decoding::rankOf(all, token.id)});
}

std::int64_t TreeDecoder::keptOf(std::int64_t keys) const {
    const auto longest = request_.recording.longestMap;
    return longest > 0 ? std::min(keys, longest) : keys;
}

void TreeDecoder::feed(NodeId node) {
    const auto& row = tree_.node(node).row;
    if (row && !row->together)
        return;
    const auto fed = fedAlong(node);
    const auto rows = static_cast<std::int64_t>(fed.size());
    refuseTooLong(keptOf(rows), keptOf(rows) + keptOf(source_.length()), model_.summary->decoderHeads,
                  model_.summary->decoderLayers);
    // The session keeps only one long path, possibly another one than that of this row. Computing the row
    // makes its log-probabilities available again for the tokens after it.
    auto known = session_.row(fed, stop_);
    // On a short path, replace rows of a long path: they store no maps.
    if (!row || !pathIsLong_)
        tree_.setRow(node, std::move(known));
}

TreeDecoder::NodeId TreeDecoder::forcePrefix(const std::vector<std::int64_t>& ids, const trace::Task& work,
                                             const Progress& progress) {
    if (tree_.empty()) {
        auto root = model_.targetToken(ids.front());
        if (root.id == model_.summary->special.start)
            root.role = TokenRole::Start; // even if the same id is an end or padding token
        tree_.add({.token = std::move(root)});
    } else if (tree_.node(0).token.id != ids.front())
        throw Refusal({.what = "The paths of one request begin with different tokens",
                       .where = "the target ids",
                       .expected = std::to_string(tree_.node(0).token.id),
                       .found = std::to_string(ids.front()),
                       .wayOut = "begin all of them with the same token"});
    if (pathIsLong_)
        return forceLong(ids, work, progress);
    session_.expect(ids);
    NodeId node = 0;
    for (std::size_t i = 1; i < ids.size(); ++i) {
        feed(node);
        work.report(i, ids.size());
        node = childOf(node, model_.targetToken(ids[i]));
        progress(node);
    }
    return node;
}

decoding::SearchStart TreeDecoder::searchStart(std::vector<std::int64_t> ids,
                                               const trace::DecodePath& path) const {
    decoding::SearchStart start{.fed = std::move(ids),
                                .startTokens = startTokens(),
                                .newTokens = path.newTokens,
                                .mayContinue = path.mayContinue};
    const auto& special = model_.summary->special;
    if (special.end)
        start.ends.push_back(*special.end);
    start.ends.insert(start.ends.end(), special.furtherEnds.begin(), special.furtherEnds.end());
    // The newest token is not fed, except before padding.
    const auto after = request_.padding.target > 0 ? request_.padding.target + 1 : 0;
    if (const auto longest = longestTarget(); longest > 0) {
        const auto room = longest - after - static_cast<std::int64_t>(start.fed.size()) + 1;
        start.newTokens = std::clamp<std::int64_t>(room, 0, start.newTokens);
    }
    return start;
}

void TreeDecoder::decode(const trace::DecodePath& path, const trace::Task& work, const Progress& progress) {
    auto ids = forcedIds(path.forced);
    refuseTooLongTarget(static_cast<std::int64_t>(ids.size()) + request_.padding.target);
    pathIsLong_ = session_.isLong(ids.size());
    if (pathIsLong_)
        refuseTooLittleMemoryFor(static_cast<std::int64_t>(ids.size()));
    forcedTokens_ = ids.size();
    searched_ = false;
    decodedOn_ = path.newTokens > 0;
    leaf_ = forcePrefix(ids, work, progress);
    if (!decodedOn_)
        feedWholeTarget();
    else if (!path.ends && tree_.node(leaf_).token.role != TokenRole::End) {
        const auto start = searchStart(std::move(ids), path);
        if (request_.decoding.beam > 1 && !path.mayContinue)
            searchBeams(start, progress);
        else
            chooseOneByOne(start, progress);
    }
    addPadding();
    if (wholePasses_)
        seeWholeTarget(work);
}

/// Also adds the end token, because the probability of ending there is part of the score of a target.
void TreeDecoder::feedWholeTarget() {
    feed(leaf_);
    const auto end = model_.summary->special.end;
    if (end && !wholePasses_ && tree_.node(leaf_).token.role != TokenRole::End)
        childOf(leaf_, model_.targetToken(*end));
}

void TreeDecoder::chooseOneByOne(const decoding::SearchStart& start, const Progress& progress) {
    const auto& decoding = request_.decoding;
    const decoding::TokenRules rules(decoding, start);
    auto fed = start.fed;
    for (int i = 0; i < start.newTokens && tree_.node(leaf_).token.role != TokenRole::End; ++i) {
        feed(leaf_);
        const double logNormalizer = decoding.repetitionPenalty == 1 ? 0 : session_.logNormalizer(fed);
        const auto values = rules.apply(session_.logProbabilities(fed), fed, logNormalizer);
        const auto next = decoding.sample ? decoding::sampleToken(values, decoding, fed.size())
                                          : decoding::mostProbable(values);
        if (!next)
            return; // the rules exclude every token
        fed.push_back(*next);
        leaf_ = childOf(leaf_, model_.targetToken(*next));
        progress(leaf_);
    }
}

void TreeDecoder::searchBeams(const decoding::SearchStart& start, const Progress& progress) {
    refuseTooLittleMemoryForBeamsOf(static_cast<std::int64_t>(start.fed.size()) + start.newTokens);
    const NodeId root = leaf_;
    searched_ = true;
    tree_.clearSearches(); // from an earlier path
    feed(root);
    std::vector<NodeId> nodes; // tree node of each search node
    const auto grow = [&](const decoding::SearchTree& search) {
        for (std::size_t i = nodes.size(); i < search.nodes.size(); ++i) {
            const auto& node = search.nodes[i];
            const NodeId parent = node.parent ? nodes[*node.parent] : root;
            nodes.push_back(childOf(parent, model_.targetToken(node.token)));
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            tree_.setSearch(nodes[i], search.nodes[i].record);
            if (search.nodes[i].record.fate == trace::Fate::Extended)
                feed(nodes[i]); // already computed by the search
        }
        if (const auto& best = search.living.empty() ? search.ranking : search.living; !best.empty())
            progress(nodes[best.front()]);
    };
    SessionScorer scorer(session_, stop_);
    const auto search = decoding::beamSearch(scorer, start, request_.decoding, grow);
    grow(search);
    if (!search.ranking.empty())
        leaf_ = nodes[search.ranking.front()];
}

/// Padding follows the whole target, end token included, as in a batch with a longer sentence.
void TreeDecoder::addPadding() {
    for (int i = 0; i < request_.padding.target; ++i) {
        feed(leaf_);
        leaf_ = childOf(leaf_, model_.targetToken(*model_.summary->special.padding));
    }
    if (request_.padding.target > 0)
        feed(leaf_);
}

void TreeDecoder::refuseTooLittleMemoryFor(std::int64_t tokens) const {
    refuseTooLittleMemoryForTarget(
        model_.network->config(),
        {.source = source_.length(), .target = tokens, .longestMap = request_.recording.longestMap},
        files::availableMemory());
}

void TreeDecoder::refuseTooLittleMemoryForBeamsOf(std::int64_t tokens) const {
    refuseTooLittleMemoryForBeams(
        model_.network->config(),
        {.source = source_.length(), .target = tokens, .longestMap = request_.recording.longestMap},
        request_.decoding.beam, files::availableMemory());
}

/// Computes all rows in one pass. One by one, maps would be stored until the path gets too long.
TreeDecoder::NodeId TreeDecoder::forceLong(const std::vector<std::int64_t>& ids, const trace::Task& work,
                                           const Progress& progress) {
    const auto rows = session_.longRows(ids, work);
    NodeId node = 0;
    for (std::size_t t = 0; t < ids.size(); ++t) {
        if (!tree_.node(node).row)
            tree_.setRow(node, rows[t].row);
        if (t + 1 == ids.size())
            break;
        const auto child = tree_.child(node, ids[t + 1]);
        node = child ? *child
                     : tree_.add({.parent = node,
                                  .token = model_.targetToken(ids[t + 1]),
                                  .logProbability = rows[t].nextLogProbability,
                                  .rank = rows[t].nextRank});
    }
    progress(node);
    return node;
}

void TreeDecoder::keepTogether(std::shared_ptr<const trace::PathRecords> records) {
    std::vector<NodeId> nodes;
    std::vector<DecodingSession::RowBefore> rows;
    for (const auto id : tree_.path(leaf_)) {
        const auto& node = tree_.node(id);
        if (!node.row)
            continue;
        if (!rows.empty()) {
            rows.back().nextLogProbability = node.logProbability;
            rows.back().nextRank = node.rank;
        }
        nodes.push_back(id);
        rows.push_back({.row = node.row});
    }
    rows = session_.keepTogether(fedAlong(nodes.back()), std::move(rows), std::move(records));
    for (std::size_t t = 0; t < nodes.size(); ++t)
        tree_.setRow(nodes[t], rows[t].row);
}

/// With a lifted mask, a row attends to tokens that did not exist when its token was chosen, so all rows are
/// taken from one pass over the whole target. For a long target the session may have made that pass already.
void TreeDecoder::seeWholeTarget(const trace::Task& work) {
    std::vector<NodeId> nodes;
    std::vector<std::int64_t> fed;
    for (const auto node : tree_.path(leaf_))
        if (tree_.node(node).row) {
            nodes.push_back(node);
            fed.push_back(tree_.node(node).token.id);
        }
    const auto rows =
        session_.isLong(fed.size()) ? session_.longRows(fed, work) : session_.wholeRows(fed, work.stop());
    for (std::size_t t = 0; t < nodes.size(); ++t) {
        tree_.setRow(nodes[t], rows[t].row);
        if (t + 1 < nodes.size())
            tree_.setLogProbability(nodes[t + 1], rows[t].nextLogProbability, rows[t].nextRank);
    }
}

} // namespace headscope::engine
