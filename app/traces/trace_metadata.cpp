#include "app/traces/trace_metadata.h"

#include "app/traces/request_json.h"
#include "app/traces/trace_analyses.h"
#include "app/version.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::app {

using nlohmann::json;
using nlohmann::ordered_json;
using trace::DecodeNode;
using trace::DecodeTree;
using trace::Fate;
using trace::SearchRecord;
using trace::Token;

template <>
struct Names<Fate> {
    static constexpr const char* what = "fate of a hypothesis";
    static constexpr NameTable<Fate, 6> table{{{Fate::Extended, "extended"},
                                               {Fate::Finished, "finished"},
                                               {Fate::Pruned, "pruned"},
                                               {Fate::EndedTooLow, "ended too low"},
                                               {Fate::Displaced, "displaced"},
                                               {Fate::Unfinished, "unfinished"}}};
};
/// Empty for anything but a range.
template <>
struct Form<std::optional<trace::ByteRange>> {
    static ordered_json of(const std::optional<trace::ByteRange>& range) {
        return range ? ordered_json{range->begin, range->end} : ordered_json();
    }
    static std::optional<trace::ByteRange> in(const json& pair, const std::string&) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_unsigned() ||
            !pair[1].is_number_unsigned() || pair[0] > pair[1])
            return std::nullopt;
        return trace::ByteRange{.begin = pair[0].get<std::size_t>(), .end = pair[1].get<std::size_t>()};
    }
};

/// The parent of a token, which the first one lacks.
template <>
struct Form<std::optional<std::size_t>> {
    static ordered_json of(const std::optional<std::size_t>& parent) {
        return parent ? ordered_json(*parent) : ordered_json();
    }
    static std::optional<std::size_t> in(const json& parent, const std::string&) {
        return parent.is_number_unsigned() ? std::optional(parent.get<std::size_t>()) : std::nullopt;
    }
};

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::DistanceBias>& bias) {
    visitor.required("first", bias.first);
    visitor.usual("buckets", bias.buckets);
    visitor.unless("layers", bias.layers, std::size_t{1});
    if constexpr (!Visitor::writes)
        bias.layers = std::max<std::size_t>(1, bias.layers);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<ModelWords>& words) {
    auto& model = words.summary;
    visitor.usual("name", model.name);
    visitor.usual("family", model.family);
    visitor.usual("family_title", model.familyTitle);
    visitor.usual("d_model", model.modelWidth);
    visitor.usual("d_ff", model.feedForwardWidth);
    visitor.usual("d_k", model.headWidth);
    visitor.usual("parameters", model.parameters);
    visitor.usual("bytes", model.bytes);
    visitor.usual("source_vocabulary", model.sourceVocabulary);
    visitor.usual("target_vocabulary", model.targetVocabulary);
    visitor.usual("maximum_positions", model.maximumPositions);
    visitor.unless("stated_positions", model.statedPositions, std::int64_t{0});
    visitor.usual("tokenizer", model.tokenizer);
    visitor.usual("source_language", model.sourceLanguage);
    visitor.usual("target_language", model.targetLanguage);
    visitor.usual("attribution", model.attribution);
    visitor.usual("labels", model.classLabels);
    visitor.unless("token_labels", model.tokenLabels, std::int64_t{0});
    visitor.unless("separate_classes", model.areClassesSeparate, false);
    visitor.pairs("architecture", model.architecture);
    visitor.pairs("blocks", model.blocks);
    visitor.ifAny("start_id", model.special.start);
    visitor.ifAny("end_id", model.special.end);
    visitor.ifAny("pad_id", model.special.padding);
    visitor.ifAny("unknown_id", model.special.unknown);
    visitor.ifAny("mask_id", model.special.mask);
    visitor.unless("decoder_d_ff", model.decoderFeedForwardWidth, 0);
    visitor.unless("decoder_d_k", model.decoderHeadWidth, 0);
    visitor.ifAny("further_end_ids", model.special.furtherEnds);
    visitor.ifAny("position_kind", words.positionKind);
    visitor.ifAny("rotation", model.rotation);
    visitor.ifAny("encoder_bias", words.encoderBias);
    visitor.ifAny("decoder_bias", words.decoderBias);
    if constexpr (!Visitor::writes)
        std::ranges::replace_if(
            model.rotation, [](double radians) { return std::isnan(radians); }, 0);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::RunPath>& path) {
    visitor.required("leaf", path.leaf);
    visitor.required("forced_tokens", path.forcedTokens);
    visitor.required("decoded_on", path.decodedOn);
    visitor.required("searched", path.searched);
    visitor.required("output", path.output);
}

namespace {

/// What a search found of one node of the tree.
struct Searched {
    DecodeTree::NodeId node = 0;
    SearchRecord record;
};

/// The lists of a decode tree, as they are written.
struct TreeLists {
    std::vector<DecodeNode> nodes;
    std::vector<Searched> searched;
    std::vector<trace::RunPath> paths;
};

} // namespace

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<std::vector<Searched>>& searched) {
    const auto column = [&](const char* key, auto SearchRecord::*part) {
        visitor.column(
            key, searched, [=](auto& entry) -> auto& { return entry.record.*part; });
    };
    visitor.elements("nodes", searched, &Searched::node);
    column("steps", &SearchRecord::step);
    column("ranks", &SearchRecord::rank);
    column("scores", &SearchRecord::score);
    column("final_scores", &SearchRecord::finalScore);
    column("fates", &SearchRecord::fate);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<TreeLists>& lists) {
    const auto ofToken = [&](const char* key, auto Token::*part) {
        visitor.column(
            key, lists.nodes, [=](auto& node) -> auto& { return node.token.*part; });
    };
    visitor.elements("parents", lists.nodes, &DecodeNode::parent);
    ofToken("ids", &Token::id);
    ofToken("pieces", &Token::piece);
    ofToken("roles", &Token::role);
    visitor.column("log_probabilities", lists.nodes, &DecodeNode::logProbability);
    visitor.column("ranks", lists.nodes, &DecodeNode::rank);
    visitor.ifAny("search", lists.searched);
    visitor.required("paths", lists.paths);
}

namespace {

[[noreturn]] void contradict(const std::string& where, const std::string& expected,
                             const std::string& found) {
    throw trace::Refusal({.what = "The decode tree of this trace contradicts itself",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "write it anew, or leave \"tree\" out"});
}

DecodeTree treeOf(std::vector<DecodeNode> nodes, const std::string& where) {
    if (nodes.empty())
        contradict(where, "the start token at least", "no tokens");
    nodes.front().parent.reset();
    DecodeTree tree;
    for (std::size_t id = 0; id < nodes.size(); ++id) {
        if (const auto parent = nodes[id].parent; id > 0 && (!parent || *parent >= id))
            contradict(where, "numbers below " + std::to_string(id) + " in \"parents\"",
                       parent ? std::to_string(*parent) : "none");
        tree.add(std::move(nodes[id]));
    }
    return tree;
}

void addSearch(const std::vector<Searched>& searched, const std::string& where, DecodeTree& tree) {
    const auto size = tree.nodes().size();
    std::optional<std::size_t> root;
    for (const auto& [id, record] : searched) {
        if (id >= size || record.rank < 0 || count(record.rank) >= size)
            contradict(where, "\"nodes\" and \"ranks\" from 0 and below " + std::to_string(size),
                       std::to_string(id) + " and " + std::to_string(record.rank));
        const auto parent = tree.node(id).parent;
        const auto* before = parent && tree.node(*parent).search ? &*tree.node(*parent).search : nullptr;
        const bool begins = record.step == 0 && parent && !before && (!root || root == parent);
        if (!begins && (!before || before->step + 1 != record.step))
            contradict(where, "a search that goes on from one token, step by step",
                       "step " + std::to_string(record.step) + " at node " + std::to_string(id));
        if (begins)
            root = parent;
        tree.setSearch(id, record);
    }
}

} // namespace

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<TraceTree>& words) {
    TreeLists lists;
    if constexpr (Visitor::writes) {
        lists = {.nodes = words.tree.nodes(), .searched = {}, .paths = words.paths};
        for (std::size_t id = 0; id < lists.nodes.size(); ++id)
            if (const auto& search = lists.nodes[id].search)
                lists.searched.push_back({.node = id, .record = *search});
        fields(visitor, std::as_const(lists));
    } else {
        fields(visitor, lists);
        const auto& where = visitor.where();
        words.tree = treeOf(std::move(lists.nodes), where);
        addSearch(lists.searched, where, words.tree);
        const auto size = words.tree.nodes().size();
        for (const auto& path : lists.paths)
            if (path.leaf >= size || path.forcedTokens > size)
                contradict(where,
                           "leaves below and forced tokens up to " + std::to_string(size) + " in \"paths\"",
                           std::to_string(app::size(path.leaf)) + " and " +
                               std::to_string(app::size(path.forcedTokens)));
        if (lists.paths.empty())
            contradict(where, "the shown path at least, the last of \"paths\"", "none");
        words.paths = std::move(lists.paths);
    }
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<MaskWords>& mask) {
    visitor.required("index", mask.index);
    visitor.required("candidates", mask.candidates);
}

namespace {

/// Returns the log-probabilities of the tokens after the first, looked up among the candidates.
std::vector<double> amongCandidates(const RunWords& words) {
    std::vector<double> found;
    for (std::size_t t = 0; t < words.candidates.size(); ++t) {
        const auto& token = t + 1 < words.target.size() ? words.target[t + 1] : words.next[t];
        const auto& candidates = words.candidates[t];
        const auto same = std::ranges::find_if(candidates, [&](const trace::Candidate& candidate) {
            return candidate.token.piece == token.piece && candidate.token.role == token.role;
        });
        found.push_back(same == candidates.end() ? std::numeric_limits<double>::quiet_NaN()
                                                 : static_cast<double>(same->logProbability));
    }
    return found;
}

/// Takes what was not read from the rest, and checks that the rest agrees with itself.
void complete(const FieldReader& reader, RunWords& words) {
    const auto rows = words.target.size();
    if (words.next.empty() && rows > 0) {
        words.next.assign(words.target.begin() + 1, words.target.end());
        words.next.push_back({.id = -1});
    }
    refuseLength(inside(reader.where(), "next"), rows, words.next.size());
    words.forcedRows = std::min(words.forcedRows, rows);
    if (!reader.contains("candidates"))
        words.candidates.resize(rows);
    refuseLength(inside(reader.where(), "candidates"), rows, words.candidates.size());
    for (const auto& mask : words.masks)
        if (mask.index < 0 || count(mask.index) >= words.source.size())
            throw trace::Refusal({.what = "The words of this trace cannot be read",
                                  .where = inside(reader.where(), "masks"),
                                  .expected = "indices of source tokens, from 0 and below " +
                                              std::to_string(words.source.size()),
                                  .found = std::to_string(mask.index),
                                  .wayOut = "write it as the manual page traces.md describes"});
    if (!reader.contains("path_log_probabilities"))
        words.logProbabilities = amongCandidates(words);
    if (!reader.has<std::string>("output"))
        words.output = trace::joinedText(words.next);
    if (!reader.contains("request"))
        words.request = fromJson<trace::Request>(json::object(), reader.where());
    setLength(words.request, 0);
}

} // namespace

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<RunWords>& words) {
    const auto pieces = [&](const char* key, auto& tokens) {
        if (visitor.contains(key))
            visitor.elements(key, tokens, &Token::piece);
        if constexpr (!Visitor::writes)
            for (auto& token : tokens)
                token.id = -1;
    };
    pieces("source", words.source);
    pieces("target", words.target);
    pieces("next", words.next);
    visitor.usual("output", words.output);
    visitor.usual("request", words.request);
    visitor.part("roles", [&](auto& roles) {
        for (const auto& [key, tokens] : {std::pair("source", &words.source),
                                          std::pair("target", &words.target), std::pair("next", &words.next)})
            if (roles.contains(key))
                roles.column(key, *tokens, &Token::role);
    });
    if (visitor.contains("source_ranges"))
        visitor.column("source_ranges", words.source, &Token::range);
    visitor.within("forced_rows", words.forcedRows, std::size_t(0), count(std::numeric_limits<int>::max()));
    visitor.usual("candidates", words.candidates);
    visitor.usual("path_log_probabilities", words.logProbabilities);
    visitor.usual("path_ranks", words.ranks);
    visitor.usual("self_check", words.selfCheck);
    visitor.ifAny("contrast", words.contrast);
    visitor.ifAny("masks", words.masks);
    visitor.within("second_text", words.secondText, std::int64_t(1), size(words.source.size()) - 1);
    visitor.ifAny("tree", words.tree);
    if constexpr (!Visitor::writes)
        complete(visitor, words);
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<BesideWords>& words) {
    fields(visitor, static_cast<typename Visitor::template Of<RunWords>&>(words));
    visitor.part("model", [&](auto& model) { model.usual("name", words.model); });
}

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<TraceMetadata>& words) {
    fields(visitor, static_cast<typename Visitor::template Of<RunWords>&>(words));
    visitor.usual("model", words.model);
    if constexpr (Visitor::writes)
        visitor.required("headscope", std::string(version()));
    visitor.ifAny("lens", words.lens);
    visitor.ifAny(trace::HeadImportance::inFiles, words.importance);
    visitor.ifAny("flow", words.flow);
    visitor.ifAny("beside", words.beside);
}

namespace {

/// Returns only the paths, without other nodes of the search.
TraceTree pathsAlone(const trace::Run& run) {
    std::vector<bool> isKept(run.tree.nodes().size(), false);
    for (const auto& path : run.paths)
        for (const auto id : run.tree.path(path.leaf))
            isKept[id] = true;
    TraceTree kept{.tree = {}, .paths = run.paths};
    std::vector<DecodeTree::NodeId> numbers(isKept.size());
    for (std::size_t id = 0; id < isKept.size(); ++id) {
        if (!isKept[id])
            continue;
        auto node = run.tree.node(id);
        node.search.reset();
        if (node.parent)
            node.parent = numbers[*node.parent];
        numbers[id] = kept.tree.add(std::move(node));
    }
    for (auto& path : kept.paths)
        path.leaf = numbers[path.leaf];
    return kept;
}

/// Keeps only interventions that had an effect.
trace::Request asTraced(trace::Request request) {
    std::vector<trace::Intervention> changes;
    for (auto& change : effective(request.interventions))
        changes.push_back({.change = std::move(change)});
    request.interventions = std::move(changes);
    return request;
}

ModelWords wordsOf(const trace::ModelSummary& model) {
    const auto of = [](const auto& bias) { return bias ? std::optional(*bias) : std::nullopt; };
    return {.summary = model,
            .positionKind = model.positionKind,
            .encoderBias = of(model.encoderBias),
            .decoderBias = of(model.decoderBias)};
}

/// For a trace that is saved again: restores the states of the file that it was read from.
trace::SelfCheck asRecorded(trace::SelfCheck check) {
    for (const auto finding : trace::allFindings)
        if ((check.*finding).state == trace::CheckState::Recorded)
            (check.*finding).state = trace::CheckState::Ok;
    return check;
}

/// The fields of one run, without the runs that are compared with it.
RunWords wordsOf(const trace::Run& run, bool withSearch) {
    RunWords words{.source = run.source,
                   .target = run.target,
                   .next = chosenByModel(run),
                   .forcedRows = run.forcedRows,
                   .output = run.output,
                   .request = asTraced(run.request),
                   .selfCheck = asRecorded(run.selfCheck),
                   .contrast = run.contrast};
    for (std::size_t t = 0; t < run.target.size(); ++t)
        words.candidates.push_back(run.row(t).candidates);
    for (std::size_t t = 1; t < run.path.size(); ++t) {
        const auto& node = run.tree.node(run.path[t]);
        words.logProbabilities.push_back(node.logProbability);
        if (node.rank >= 0 && words.ranks.size() + 1 == t)
            words.ranks.push_back(node.rank); // only the leading ranks that are known
    }
    for (const auto& [index, candidates] : run.maskCandidates)
        words.masks.push_back({.index = size(index), .candidates = candidates});
    if (run.secondText)
        words.secondText = size(*run.secondText);
    if (!run.path.empty())
        words.tree = withSearch && run.tree.nodes().size() <= largestTree
                         ? TraceTree{.tree = run.tree, .paths = run.paths}
                         : pathsAlone(run);
    return words;
}

} // namespace

std::vector<Token> chosenByModel(const trace::Run& run) {
    auto next = run.next;
    for (std::size_t t = 0; t < run.forcedRows && t < next.size(); ++t)
        if (!run.row(t).candidates.empty())
            next[t] = run.row(t).candidates.front().token;
    return next;
}

std::string tokensJson(const trace::Run& run, const TraceAnalyses& analyses) {
    TraceMetadata words;
    static_cast<RunWords&>(words) = wordsOf(run, true);
    words.model = wordsOf(*run.model);
    if (analyses.lens)
        words.lens = wordsOf(*analyses.lens);
    if (analyses.importance)
        words.importance = wordsOf(*analyses.importance);
    if (analyses.flow)
        words.flow = *analyses.flow;
    for (const auto& other : analyses.beside)
        words.beside.push_back({wordsOf(*other, false), other->model->name});
    auto json = toJson(words);
    if (!run.model->saysDecoding)
        json["request"].erase("decoding");
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

TraceMetadata parseTokensJson(std::string_view text, const std::string& where) {
    const auto json = files::parseJson(text, where);
    if (!json.is_object())
        throw trace::Refusal({.what = "The words of this trace cannot be read",
                              .where = where,
                              .expected = "a JSON object with the keys \"source\" and \"target\"",
                              .wayOut = "write it as the manual page traces.md describes"});
    auto words = fromJson<TraceMetadata>(json, where);
    words.saysDecoding = json.contains(nlohmann::json::json_pointer("/request/decoding"));
    return words;
}

} // namespace headscope::app
