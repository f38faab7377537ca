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

/// One head's terms with all that painting them needs.
struct HeadTerms {
    HeadTerms() = default;
    HeadTerms(const HeadTerms&) = delete; // the pyramids look at the others
    HeadTerms& operator=(const HeadTerms&) = delete;

    std::vector<trace::Matrix> terms;    ///< in the order of trace::ScoreTerms
    trace::Matrix scores;                ///< their sum
    double limit = 1;                    ///< largest magnitude of an open cell of all of them
    std::vector<MatrixPyramid> pyramids; ///< of the terms
    MatrixPyramid ofScores;
};

/// `centred`: less each row's mean over its open keys (analysis::centredRows). Of a long sentence this takes
/// longer than a window may stall. The terms outlive what is made of them; throws trace::Cancelled.
std::shared_ptr<const HeadTerms> headTerms(const trace::ScoreTerms& terms, std::size_t head, bool centred,
                                           const trace::Task& work = {});

/// "word–position": the query's part, then the key's.
QString termName(const trace::ScoreTerm& term);
/// "pos.–word", where there is little room.
QString shortTermName(const trace::ScoreTerm& term);
QString originName(analysis::ScoreOrigin origin);
/// Those that its terms have, in order.
std::vector<analysis::ScoreOrigin> originsIn(const trace::ScoreTerms& terms);

/// "4.1234 = 2.5012 (word–word) + 1.2000 (word–position) − ...".
QString sumInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell);
/// “gave” looks at “old”: and the sum, or that the mask closes it.
QString cellInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell);

/// What is drawn and how it was found, for people. `limit`: of the colour scale.
QString scoreTermsCaption(const trace::ModelSummary& model, const trace::ScoreTerms& terms, int head,
                          const analysis::HeadScoreShares& shares, double limit, bool centred);

/// The head whose scores can be taken apart exactly that is nearest to the selected one: of this stack's
/// first layer, or of any where positions stand in attention, with the same number. Nothing where the model
/// has no such attention.
std::optional<trace::HeadAddress> nearestExactHead(const trace::ModelSummary& model,
                                                   trace::AttentionKind kind,
                                                   const trace::HeadAddress& selected);

/// The cell of a row that is told number by number where none is lit: the open key with the highest score.
int highestKey(trace::MatrixView scores, const trace::MaskMatrix& mask, int row);

} // namespace headscope::widgets
