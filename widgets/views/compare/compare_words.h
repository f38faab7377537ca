#pragma once

#include <QString>

#include "widgets/drawing/outlined_words.h"
#include "widgets/drawing/token_label.h"
#include "widgets/views/compare/compare_question.h"

#include <array>
#include <vector>

namespace headscope::widgets {

/// What A and B are, for captions: such as a sentence in quotation marks.
struct PairNames {
    QString first;
    QString second;
    friend bool operator==(const PairNames&, const PairNames&) = default;
};

/// A sentence between quotation marks, cut where it is long.
QString quotedSentence(const QString& sentence);

/// A word or piece as it is shown.
TokenLabel unitLabel(const std::vector<trace::Token>& tokens, const analysis::AxisUnit& unit);
/// One a place of the axis: the token of both, "man | woman" where they differ, "– | very" where one is
/// missing.
std::vector<TokenLabel> placeLabels(const analysis::AlignedAxis& axis, const std::vector<trace::Token>& first,
                                    const std::vector<trace::Token>& second);

/// What stands above the maps: how names and hatching are to be read.
QString compareKey(const CompareAnswer& answer, bool alignedOnly);
/// The same with how many rows are equal, for one line.
QString compareKeyInLine(const CompareAnswer& answer, bool alignedOnly);
/// The texts of A and B, with the words outlined that the other lacks: outputs, or what an encoder or a
/// decoder alone reads. Of steps their names.
std::array<std::vector<OutlinedWord>, 2> comparedTexts(const CompareAnswer& answer, const PairNames& names);
/// "negative 90.5 %", the likeliest class; empty if the run has none.
QString classInWords(const trace::Run& run);
/// The sentences under them: what A and B are, and how they are aligned.
QString compareCaption(const CompareAnswer& answer, const PairNames& names, bool alignedOnly);
/// "cross.2.5 and cross.2.5, difference"
QString compareTitle(const CompareAnswer& answer);
/// "A has no decoder; B has no encoder.": the kinds of attention that one of both lacks; empty if they have
/// the same.
QString whatBothLack(const trace::ModelSummary& first, const trace::ModelSummary& second);
bool haveCommonKind(const trace::ModelSummary& first, const trace::ModelSummary& second);
/// Why there is no map of the question's head, in a sentence.
QString whyNoMaps(const CompareAnswer& answer);

/// "“man” → “old”: A 0.1200, B 0.3400, change +0.2200"
QString compareCellInWords(const analysis::AlignedMaps& maps, std::size_t row, std::size_t column,
                           const QString& place);

/// Lines for a tooltip: the place, A, B and B − A, and whether nothing in the head changed more.
QString compareCellTip(const analysis::AlignedMaps& maps, std::size_t row, std::size_t column,
                       const QString& place);

/// What was said, with what it was worth, and where the two part.
QString saidInWords(const analysis::SaidComparison& said);
/// What the rows of the table of what was said are, and for how long distributions can be compared.
QString stepsInWords(std::size_t steps);

} // namespace headscope::widgets
