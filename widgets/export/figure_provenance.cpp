#include "widgets/export/figure_provenance.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <QTextBoundaryFinder>

namespace headscope::widgets {

namespace {

struct FigureProvenanceWords {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)
};

constexpr qsizetype figureProvenanceLongest = 200; ///< characters of model and sentence in the source line

/// Replaces line breaks by spaces, and truncates long text, adding its length in characters.
QString inShort(QString text) {
    static const QRegularExpression ends(QStringLiteral("\\s*[\\r\\n\\v\\f\\x{85}\\x{2028}\\x{2029}]+\\s*"));
    const auto characters =
        text.mid(text.indexOf(QStringLiteral("; ")) + 2).toUcs4().size(); // of the sentence
    text.replace(ends, QStringLiteral(" "));
    if (text.size() <= figureProvenanceLongest)
        return text;
    QTextBoundaryFinder whole(QTextBoundaryFinder::Grapheme, text);
    whole.setPosition(figureProvenanceLongest);
    const auto end = whole.isAtBoundary() ? figureProvenanceLongest : whole.toPreviousBoundary();
    return FigureProvenanceWords::tr("%1... (%2 characters)")
        .arg(text.left(end).trimmed(), QString::number(characters));
}

} // namespace

QString provenanceLine(const FigureText& text, const FigureFacts& facts) {
    QStringList parts{inShort(text.provenance), inShort(text.head)};
    if (!text.quantity.isEmpty())
        parts += FigureProvenanceWords::tr("quantity: %1").arg(text.quantity);
    if (facts.weights.startsWith(QLatin1String("sha256:"))) // of the weights file, or of a trace
        parts += FigureProvenanceWords::tr("file: %1").arg(facts.weights);
    else if (!facts.weights.isEmpty())
        parts += FigureProvenanceWords::tr("weights of the model: %1").arg(facts.weights);
    parts += facts.software;
    parts.removeAll(QString());
    return parts.join(QStringLiteral("; "));
}

} // namespace headscope::widgets
