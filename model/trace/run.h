#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/decode_tree.h"
#include "model/trace/model_summary.h"
#include "model/trace/request.h"
#include "model/trace/token.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::trace {

/// Recorded: stored as ok in a trace's file and not checked again. NotApplicable: there is nothing to check,
/// such as cached rows in an encoder-only model.
enum class CheckState { Ok, Failed, Recorded, NotChecked, NotApplicable };

/// Result of one check.
struct Finding {
    CheckState state = CheckState::NotChecked;
    double largest = 0; ///< largest measured deviation; NaN if a NaN was met
    double limit = 0;   ///< largest accepted deviation
};

/// Consistency checks of a run, always on: distinguish unexpected model behaviour from errors of the program.
struct SelfCheck {
    Finding rowsSumToOne;       ///< every row with an allowed key; negative weights fail as well
    Finding maskedCellsAreZero; ///< in rows with an allowed key
    /// Compares weights with the softmax of the stored scores over the allowed keys. Rows forced by a user
    /// are skipped. Not applicable if no scores are stored.
    Finding weightsAreSoftmax;
    /// None is above 0, and over a whole vocabulary or all classes the probabilities sum to 1.
    Finding logProbabilities;
    Finding cachedEqualsFullPass; ///< rows computed step by step compared with one pass over all tokens
    std::string kernels; ///< name of the kernels that computed the numbers (kernels.h); empty if not recorded

    /// Returns Failed if any check failed; else NotChecked if any was not made; else Recorded if rowsSumToOne
    /// is; else Ok. cachedEqualsFullPass alone may be Recorded without changing the result, because checking
    /// it needs the model.
    CheckState state() const;
    /// Returns false if a checked number is NaN or infinite.
    bool isFinite() const;
};

/// In display order.
inline constexpr std::array<Finding SelfCheck::*, 5> allFindings{
    &SelfCheck::rowsSumToOne, &SelfCheck::maskedCellsAreZero, &SelfCheck::weightsAreSoftmax,
    &SelfCheck::logProbabilities, &SelfCheck::cachedEqualsFullPass};

/// Result of one path of a request.
struct RunPath {
    DecodeTree::NodeId leaf = 0;
    std::size_t forcedTokens = 1; ///< from the root, start token included
    bool decodedOn = true;        ///< tokens were decoded after the forced ones
    bool searched = false;        ///< decoded by beam search
    std::string output;
    friend bool operator==(const RunPath&, const RunPath&) = default;
};

/// What a run answers with, the first of these that it has.
enum class AnswerKind {
    None,
    Steps,   ///< tokens of a decoder
    Tokens,  ///< in place of masked ones, or labels of the text's
    Classes, ///< of the text
    Numbers,
    Ends, ///< of an answer in the text: its start and its end
};

/// Everything recorded for one request. Built once, then shared as `std::shared_ptr<const Run>`.
struct Run {
    Request request;
    std::shared_ptr<const ModelSummary> model;

    std::vector<Token> source;            ///< encoder input, [S]
    std::vector<AttentionRecord> encoder; ///< one per layer, maps [S, S]
    Matrix sourcePositions;    ///< [S, d_model] positional vectors of the source; empty for embeddings
    HeadStack encoderResidual; ///< [1 + sublayers, S, d_model], if requested
    Matrix encoderOutput;      ///< [S, d_model], if requested

    std::vector<std::int64_t> segments; ///< [S] of the source; empty if the model does not tell them apart
    /// Where the second text of a pair begins in the source; empty for a single text. Special tokens before
    /// it belong to the first text.
    std::optional<TokenIndex> secondText;

    std::vector<float> classLogProbabilities; ///< [classes], classifiers of texts only
    std::vector<float> numbers;               ///< of models that predict numbers
    /// Of models that predict masked tokens or the labels of tokens: log-probabilities [S, vocabulary or
    /// labels], if requested; and the most probable tokens of each masked one, or all labels of each token of
    /// the text, by its index in the source.
    Matrix sourceLogProbabilities;
    std::map<std::size_t, std::vector<Candidate>> maskCandidates;
    std::vector<float> replacedProbabilities; ///< [S] of models that detect replaced tokens
    /// [2, S] of models that mark an answer: that it starts, and that it ends at each token.
    Matrix spanLogProbabilities;

    std::optional<Token> contrast; ///< token or class of Request::ratherThan

    DecodeTree tree;                      ///< all requested paths
    std::vector<RunPath> paths;           ///< one per path of the request
    std::vector<DecodeTree::NodeId> path; ///< root to leaf of the shown path
    std::vector<Token> target;            ///< decoder input along the shown path, [T], start token first
    std::vector<Token> next;    ///< [T] token chosen after each row; the most probable one if none was chosen
    std::size_t forcedRows = 0; ///< rows whose next token was forced, not decoded
    std::vector<AttentionRecord> decoder; ///< one per layer: the path's rows stacked, maps [T, T]
    std::vector<AttentionRecord> cross;   ///< one per layer, maps [T, S]
    std::string output;                   ///< decoded text of the shown path
    /// Active changes without effect, because their row or key is missing or masked, as command line options.
    std::vector<std::string> unreached;

    SelfCheck selfCheck;
    std::string device; ///< such as "cpu"
    int threads = 1;
    bool complete = false; ///< false for intermediate results delivered while decoding

    /// Returns null if the model has no such site.
    const AttentionRecord* record(const AttentionSite& site) const;
    /// The record of the head's site. Returns null if the model has no such head.
    const AttentionRecord* recordOf(const HeadAddress& head) const;
    /// Tokens along the axes of a map. Rows of cross-attention carry the chosen token, decoder rows the fed
    /// one.
    const std::vector<Token>& queryTokens(AttentionKind kind) const;
    const std::vector<Token>& keyTokens(AttentionKind kind) const;
    AnswerKind answerKind() const;
    /// Returns the tokens that the model says: `next`, or the most probable one of each mask; as tokens of
    /// their index, the most probable class, all numbers, or where the answer starts and ends in the source.
    /// Empty if it says none.
    std::vector<Token> answers() const;
    /// Number of target rows; of an encoder alone, of answers(), or 0 if there is one of the whole text.
    std::size_t steps() const;
    /// Returns what the step fed with target token t computed.
    const DecodeRow& row(std::size_t t) const { return *tree.node(path.at(t)).row; }
};

/// Returns the first step, or row of a forced target, whose next-token distribution contains a NaN or
/// infinite value; 0 for a classifier. Returns nullopt if all are finite.
std::optional<std::size_t> firstStepNotFinite(const Run& run);

/// Returns the active changes of the run's request that affected no cell; see Run::unreached.
std::vector<std::string> unreachedChanges(const Run& run);

} // namespace headscope::trace
