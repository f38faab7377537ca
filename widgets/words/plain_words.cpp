#include "widgets/words/plain_words.h"

#include "widgets/drawing/token_label.h"

#include <QGuiApplication>

#include <vector>

namespace headscope::widgets {

QString withoutIsolation(const QString& words) {
    constexpr QChar begin(0x2068), end(0x2069);
    QString plain;
    std::vector<qsizetype> open; // positions of opening marks that are not closed yet
    for (const QChar c : words) {
        if (c == end && !open.empty()) {
            plain.remove(open.back(), 1);
            open.pop_back();
            continue;
        }
        if (c == begin)
            open.push_back(plain.size());
        plain += c;
    }
    return plain;
}

QString shownNumber(QString number) {
    number.replace('-', QChar(0x2212));
    const bool hasSigns = !number.isEmpty() && !(number.front().isDigit() && number.back().isDigit());
    return hasSigns && QGuiApplication::isRightToLeft() ? isolated(number) : number;
}

QString capitalised(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace headscope::widgets
