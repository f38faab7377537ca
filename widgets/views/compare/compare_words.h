#pragma once

#include <QString>

#include "widgets/drawing/token_label.h"
#include "widgets/views/compare/compare_question.h"

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
/// The sentences under them: what A and B are, and how they are aligned.
QString compareCaption(const CompareAnswer& answer, const PairNames& names, bool alignedOnly);
/// "cross.2.5 and cross.2.5, difference"
QString compareTitle(const CompareAnswer& answer);
/// Why there is no map of the question's head, in a sentence.
QString whyNoMaps(const CompareAnswer& answer);

/// "“man” → “old”: A 0.1200, B 0.3400, change +0.2200"
QString compareCellInWords(const analysis::AlignedMaps& maps, std::size_t row, std::size_t column,
                           const QString& place);

/// What was said, with what it was worth, and where the two part.
QString saidInWords(const analysis::SaidComparison& said);
/// What the rows of the table of what was said are, and for how long distributions can be compared.
QString stepsInWords(std::size_t steps);

} // namespace headscope::widgets
