#pragma once

#include "widgets/plots/bars_picture.h"
#include "widgets/views/classifier/classifier_words.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A bar with its logit for each class.
std::shared_ptr<BarsPicture> classBars(const ReadClass& shown);
/// A bar for what the class loses without each word.
std::shared_ptr<BarsPicture> lossBars(const ReadClass& shown, const std::vector<analysis::WordEffect>& words,
                                      bool areProbabilities);

/// How the tokens that a classifier read are drawn.
struct GivenTokens {
    bool spaceMarks = true;
    bool isCutSaid = true;  ///< counts the tokens that do not fit
    std::optional<int> lit; ///< highlighted
};
/// The tokens in lines, shaded by their contributions to the logit of the class, which are written below
/// them, with bars for the numbers of pooled features that they gave.
FigureBlock givenTokensBlock(const ReadClass& shown, const GivenTokens& how, const QFont& font);

} // namespace headscope::widgets
