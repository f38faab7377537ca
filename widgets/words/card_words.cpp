#include "widgets/words/card_words.h"

#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/token_label.h"

#include <QCoreApplication>

#include <cmath>

namespace headscope::widgets {

namespace {

QString digits(double value, int decimals) {
    QString text = QString::number(std::abs(value), 'f', decimals);
    return std::isnan(value) ? QStringLiteral("\u2013") : text;
}

} // namespace

QString shareText(double probability) {
    if (probability > 0 && probability < 0.0005)
        return shownNumber(QStringLiteral("<0.1 %"));
    return shownNumber(digits(100 * probability, 1) + QStringLiteral(" %"));
}

QString shortNumberText(double value) {
    const QString text = digits(value, 2);
    return value < 0 && text != digits(0, 2) ? shownNumber('-' + text) : text;
}

QString shortSignedText(double value) {
    const QString text = digits(value, 2);
    if (text == digits(0, 2))
        return QStringLiteral("0");
    return std::isnan(value) ? text : shownNumber((value < 0 ? '-' : '+') + text);
}

QString timesText(double times) {
    return digits(times, times >= 9.95 ? 0 : times >= 0.995 ? 1 : 2);
}

QString shortSublayer(trace::SublayerKind kind) {
    using enum trace::SublayerKind;
    switch (kind) {
    case EncoderSelf:
    case DecoderSelf:
        return QCoreApplication::translate("CardWords", "self");
    case Cross:
        return QCoreApplication::translate("CardWords", "cross");
    default:
        return QCoreApplication::translate("CardWords", "ff");
    }
}

QString plainToken(const trace::Token& token) {
    const TokenLabel label = tokenLabel(token);
    return isolated(label.text.isEmpty() || label.byte ? label.full() : label.text);
}

} // namespace headscope::widgets
