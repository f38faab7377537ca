#include "widgets/views/lines/lines_words.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace headscope::widgets {

namespace {

struct LinesWords {
    Q_DECLARE_TR_FUNCTIONS(Lines)
};

constexpr int mostLinesNamed = 4;

/// At most two significant digits: 0.61, 0.2, 0.004.
QString briefly(double value) {
    return QString::number(value, 'g', value < 0.1 ? 1 : 2);
}

QString endsInWords(const trace::Run& run, const ShownMap& axes, bool ofQuery,
                    const std::vector<AttentionLine>& lines, int head) {
    QStringList named;
    for (auto line = lines.rbegin(); line != lines.rend() && named.size() < mostLinesNamed; ++line)
        if (line->head == head)
            named += LinesWords::tr("%1 %2", "token, weight")
                         .arg(ofQuery ? keyInWords(axes, line->key) : queryInWords(run, axes, line->query),
                              briefly(static_cast<double>(line->weight)));
    const QString list = named.join(ofQuery ? LinesWords::tr(", ") : LinesWords::tr("; "));
    if (named.empty())
        return ofQuery ? LinesWords::tr("has no strong line") : LinesWords::tr("has no strong line");
    return ofQuery ? LinesWords::tr("attends to %1").arg(list) : LinesWords::tr("is read by %1").arg(list);
}

} // namespace

QString tokenInWords(const trace::Run& run, const ShownMap& axes, std::optional<int> query,
                     std::optional<int> key, const std::vector<AttentionLine>& lines,
                     const std::vector<int>& heads) {
    const bool ofQuery = query.has_value();
    const QString token = ofQuery ? queryInWords(run, axes, *query) : keyInWords(axes, key.value_or(0));
    QStringList parts;
    for (const int head : heads) {
        const QString ends = endsInWords(run, axes, ofQuery, lines, head);
        parts += heads.size() == 1 ? ends : LinesWords::tr("head %1 %2").arg(QString::number(head), ends);
    }
    return LinesWords::tr("%1: %2", "token, its lines").arg(token, parts.join(LinesWords::tr(" / ")));
}

QString leftOutInWords(const StrongLines& lines, bool isPage) {
    const QString threshold = QString::number(lines.threshold, 'g', 2);
    if (lines.leftOut == 0)
        return LinesWords::tr("All lines are drawn: no weight is below %1.").arg(threshold);
    const QString what =
        isPage ? LinesWords::tr("Weights below %1 hidden: %2 of %3 lines, %4 % of the weight in all.")
               : LinesWords::tr("Weights below %1 hidden: %2 of %3 lines, %4 % of the weight in all. Hover a "
                                "token to see its hidden lines.");
    return what.arg(threshold, QString::number(lines.leftOut),
                    QString::number(lines.leftOut + lines.lines.size()),
                    QString::number(100 * lines.weightLeftOut, 'f', 1));
}

} // namespace headscope::widgets
