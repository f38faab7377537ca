#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/decode_tree.h"
#include "model/trace/model_summary.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::trace {

/// Recorded: a trace's file says that it was ok, and it was not checked again. NotApplicable: there is
/// nothing of the kind, such as cached rows in an encoder alone.
enum class CheckState { Ok, Failed, Recorded, NotChecked, NotApplicable };

/// One thing that must hold, and by how much it was missed at worst.
struct Finding {
    CheckState state = CheckState::NotChecked;
    double largest = 0; ///< largest deviation that was measured; NaN where a NaN was met
    double limit = 0;   ///< what is still accepted
};

/// Always on: separates "the model does that" from "the program is wrong".
struct SelfCheck {
    Finding rowsSumToOne;       ///< every row with an open key; a weight below 0 counts as well
    Finding maskedCellsAreZero; ///< in rows with an open key
    /// Weights against the softmax of the stored scores over the open keys. Rows that a person forced are
    /// left out. Not applicable where no scores are stored.
    Finding weightsAreSoftmax;
    /// At most 0, and of a whole vocabulary or all classes the probabilities sum to 1.
    Finding logProbabilities;
    Finding cachedEqualsFullPass; ///< rows computed step by step against one pass over all tokens

    /// Failed if one failed; not checked, or recorded, if one that applies to what is shown was not checked;
    /// else ok. That cached rows equal a full pass can be recorded all the same: it needs the model.
    CheckState state() const;
    /// False if a number that was checked is NaN or infinite.
    bool isFinite() const;
};

/// In the order in which they are told.
inline constexpr std::array<Finding SelfCheck::*, 5> allFindings{
    &SelfCheck::rowsSumToOne, &SelfCheck::maskedCellsAreZero, &SelfCheck::weightsAreSoftmax,
    &SelfCheck::logProbabilities, &SelfCheck::cachedEqualsFullPass};

/// Where one path of a request ended.
struct RunPath {
    DecodeTree::NodeId leaf = 0;
    std::size_t forcedTokens = 1; ///< from the root on, the start token among them
    bool decodedOn = true;        ///< went on after its forced tokens
    bool searched = false;        ///< by beam search
    std::string output;           ///< its decoded text
    friend bool operator==(const RunPath&, const RunPath&) = default;
};

/// Everything that happened for one request. Built once, then shared as `std::shared_ptr<const Run>`.
struct Run {
    Request request;
    std::shared_ptr<const ModelSummary> model;

    std::vector<Token> source;            ///< what the encoder was fed, [S]
    std::vector<AttentionRecord> encoder; ///< one a layer, maps [S, S]
    Matrix sourcePositions;               ///< [S, d_model] what was added to the source; empty for embeddings
    HeadStack encoderResidual;            ///< [1 + sublayers, S, d_model], if asked for
    Matrix encoderOutput;                 ///< [S, d_model], if asked for

    std::vector<float> classLogProbabilities; ///< [classes], of a classifier

    DecodeTree tree;                      ///< every path that was asked for
    std::vector<RunPath> paths;           ///< one a path of the request
    std::vector<DecodeTree::NodeId> path; ///< root to leaf of the path that is shown
    std::vector<Token> target;            ///< what the decoder was fed along it, [T], the start token first
    std::vector<Token> next;    ///< [T] the token chosen after each row; the most probable one where none was
    std::size_t forcedRows = 0; ///< rows whose next token was forced on the decoder, not decoded
    std::vector<AttentionRecord> decoder; ///< one a layer: the path's rows stacked, maps [T, T]
    std::vector<AttentionRecord> cross;   ///< one a layer, maps [T, S]
    std::string output;                   ///< the decoded text of the path
    /// Changes that are on and met nothing, because their row or key is not there or closed, as command line
    /// options.
    std::vector<std::string> unreached;

    SelfCheck selfCheck;
    std::string device; ///< such as "cpu"
    int threads = 1;
    bool complete = false; ///< false for what is delivered while decoding runs

    /// The record of a site, or null where the model has no such site.
    const AttentionRecord* record(const AttentionSite& site) const;
    /// The tokens along the axes of a map. Cross rows carry the chosen token, decoder rows the fed one.
    const std::vector<Token>& queryTokens(AttentionKind kind) const;
    const std::vector<Token>& keyTokens(AttentionKind kind) const;
    /// What the step that was fed target token t computed.
    const DecodeRow& row(std::size_t t) const { return *tree.node(path.at(t)).row; }
};

/// The step, or row of a forced target, whose next-token distribution is the first with a number that is not
/// finite; 0 of a classifier. Nothing where all are finite.
std::optional<std::size_t> firstStepNotFinite(const Run& run);

/// Changes of the run's request that are on and met no cell: see Run::unreached.
std::vector<std::string> unreachedChanges(const Run& run);

} // namespace headscope::trace
