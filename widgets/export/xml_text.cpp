#include "widgets/export/xml_text.h"

namespace headscope::widgets {

QString xmlText(const QString& text) {
    QString allowed;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        const bool pair = c.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (pair)
            allowed += text.mid(i++, 2);
        else if (!c.isSurrogate() && (c >= QChar(' ') || c == '\n' || c == '\t') && c.unicode() < 0xFFFE)
            allowed += c;
    }
    return allowed.toHtmlEscaped();
}

} // namespace headscope::widgets
