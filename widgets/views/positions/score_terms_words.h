#pragma once

#include <QString>

#include "model/analysis/scores/score_shares.h"
#include "model/trace/model_summary.h"
#include "model/trace/task.h"
#include "widgets/drawing/matrix_image.h"
#include "widgets/map/map_layout.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// The terms of one head with everything needed to paint them.
struct HeadTerms {
    HeadTerms() = default;
    HeadTerms(const HeadTerms&) = delete; // the pyramids refer to the matrices
    HeadTerms& operator=(const HeadTerms&) = delete;

    std::vector<trace::Matrix> terms;    ///< in the order of trace::ScoreTerms
    trace::Matrix scores;                ///< sum of the terms
    double limit = 1;                    ///< largest magnitude of an allowed cell in any map
    std::vector<MatrixPyramid> pyramids; ///< of the terms
    MatrixPyramid ofScores;
};

/// `centred`: subtracts each row's mean over its allowed keys (analysis::centredRows). For a long sentence
/// too slow for the GUI thread. `terms` must outlive the result. Throws trace::Cancelled.
std::shared_ptr<const HeadTerms> headTerms(const trace::ScoreTerms& terms, std::size_t head, bool centred,
                                           const trace::Task& work = {});

/// "word–position": the part of the query, then the part of the key.
QString termName(const trace::ScoreTerm& term);
/// "pos.–word", for narrow places.
QString shortTermName(const trace::ScoreTerm& term);
QString originName(analysis::ScoreOrigin origin);
/// The origins that occur in the terms, in order.
std::vector<analysis::ScoreOrigin> originsIn(const trace::ScoreTerms& terms);

/// "4.1234 = 2.5012 (word–word) + 1.2000 (word–position) − ...".
QString sumInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell);
/// "Query “gave”, key “old”: " and the sum, or "masked".
QString cellInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell);

/// Caption: what is drawn and how it was computed. `limit`: of the colour scale.
QString scoreTermsCaption(const trace::ModelSummary& model, const trace::ScoreTerms& terms, int head,
                          const analysis::HeadScoreShares& shares, double limit, bool centred);

/// Returns the head nearest to `selected` whose scores can be split exactly: same number, in the first layer
/// of the stack, or in any layer if positions enter within attention. Nullopt if the model has no such
/// attention.
std::optional<trace::HeadAddress> nearestExactHead(const trace::ModelSummary& model,
                                                   trace::AttentionKind kind,
                                                   const trace::HeadAddress& selected);

/// Returns the allowed key with the highest score, which represents the row if no cell is highlighted.
int highestKey(trace::MatrixView scores, const trace::MaskMatrix& mask, int row);

} // namespace headscope::widgets
