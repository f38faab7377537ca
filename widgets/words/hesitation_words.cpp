#include "widgets/words/hesitation_words.h"

#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/token_label.h"

#include <QCoreApplication>

#include <cmath>

namespace headscope::widgets {

namespace {

struct HesitationWords {
    Q_DECLARE_TR_FUNCTIONS(HesitationWords)
};

} // namespace

QString percentText(double share) {
    if (share > 0 && share < 0.001)
        return shownNumber(QStringLiteral("< 0.1 %"));
    return shownNumber(QStringLiteral("%1 %").arg(QString::number(100 * share, 'f', 1)));
}

QString hesitationInWords(const analysis::Hesitation& hesitation) {
    if (!hesitation.probability)
        return {};
    const QString chosen =
        HesitationWords::tr("%1 was chosen with %2")
            .arg(quoted(tokenLabel(hesitation.chosen)), percentText(*hesitation.probability));
    if (!hesitation.second)
        return chosen;
    const double other = std::exp(hesitation.second->logProbability);
    const QString what = quoted(tokenLabel(hesitation.second->token));
    return other > *hesitation.probability
               ? HesitationWords::tr("%1; %2 was more probable, with %3")
                     .arg(chosen, what, percentText(other))
               : HesitationWords::tr("%1, second %2 with %3").arg(chosen, what, percentText(other));
}

} // namespace headscope::widgets
