#include "widgets/words/plain_words.h"

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

QString capitalised(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace headscope::widgets
