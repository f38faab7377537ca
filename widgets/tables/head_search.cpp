#include "widgets/tables/head_search.h"

#include "widgets/drawing/token_label.h"
#include "widgets/words/statistic_words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <set>

namespace headscope::widgets {

namespace {

using analysis::Statistic;
using Relation = HeadCondition::Relation;

struct HeadSearchWords {
    Q_DECLARE_TR_FUNCTIONS(HeadSearch)
};

/// A number that conditions can use.
struct Measure {
    std::optional<Statistic> statistic; ///< nothing: importance
    friend auto operator<=>(const Measure&, const Measure&) = default;
};

QString withSpaces(std::string_view name) {
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())).replace('_', ' ');
}

const std::multimap<QString, Measure>& namesOfMeasures() {
    static const auto names = [] {
        std::multimap<QString, Measure> all{{HeadSearchWords::tr("importance"), Measure()},
                                            {QStringLiteral("importance"), Measure()}};
        for (const auto statistic : analysis::allStatistics())
            for (const QString& name :
                 {statisticTitle(statistic).toLower(), withSpaces(analysis::name(statistic)),
                  withSpaces(analysis::shortName(statistic))})
                all.emplace(name, Measure{statistic});
        return all;
    }();
    return names;
}

std::optional<Measure> measureCalled(const QString& name) {
    const auto found = namesOfMeasures().find(name);
    return found == namesOfMeasures().end() ? std::nullopt : std::optional(found->second);
}

/// Returns the only number whose name begins with the text.
std::optional<Measure> measureLike(const QString& beginning) {
    std::set<Measure> all;
    for (const auto& [name, measure] : namesOfMeasures())
        if (name.startsWith(beginning))
            all.insert(measure);
    return all.size() == 1 ? std::optional(*all.begin()) : std::nullopt;
}

/// Removes the longest name from the end of `words` and returns it.
std::optional<Measure> takeMeasure(QStringList& words, QString& name) {
    for (qsizetype count = std::min<qsizetype>(3, words.size()); count > 0; --count) {
        name = words.mid(words.size() - count).join(' ');
        const auto measure = measureCalled(name);
        const auto found = measure || count > 1 ? measure : measureLike(name);
        if (!found)
            continue;
        words.resize(words.size() - count);
        return found;
    }
    if (!words.isEmpty())
        words.removeLast();
    return std::nullopt;
}

std::optional<Relation> relationOf(const QString& sign) {
    static const std::map<QString, Relation> signs{
        {"<", Relation::Below}, {"<=", Relation::AtMost},  {"\u2264", Relation::AtMost},
        {"=", Relation::About}, {">=", Relation::AtLeast}, {"\u2265", Relation::AtLeast},
        {">", Relation::Above}};
    const auto found = signs.find(sign);
    return found == signs.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> numberIn(QString text) {
    const bool isPercent = text.endsWith('%');
    if (isPercent)
        text.chop(1);
    bool isNumber = false;
    const double number = text.replace(QChar(0x2212), '-').replace(',', '.').toDouble(&isNumber);
    if (!isNumber || !std::isfinite(number))
        return std::nullopt;
    return isPercent ? number / 100 : number;
}

/// Separates relation signs by spaces and attaches percent signs to their numbers.
QStringList partsOf(const QString& typed) {
    static const QRegularExpression sign(QStringLiteral("\\s*(<=|>=|[<>=\u2264\u2265])\\s*"));
    static const QRegularExpression percent(QStringLiteral("(\\d)\\s+%"));
    QString text = typed.toLower();
    text.replace('_', ' ').replace(sign, QStringLiteral(" \\1 ")).replace(percent, QStringLiteral("\\1%"));
    return text.simplified().split(' ', Qt::SkipEmptyParts);
}

QString allNames() {
    QStringList names;
    for (const auto statistic : analysis::allStatistics())
        names += statisticTitle(statistic).toLower();
    names += HeadSearchWords::tr("importance");
    return names.join(HeadSearchWords::tr(", "));
}

} // namespace

bool HeadCondition::holdsFor(std::optional<double> number) const {
    constexpr double rounded = 0.005; // numbers are listed with two decimals
    if (!number)
        return false;
    switch (relation) {
    case Relation::Below:
        return *number < limit;
    case Relation::AtMost:
        return *number <= limit;
    case Relation::About:
        return std::abs(*number - limit) <= rounded;
    case Relation::AtLeast:
        return *number >= limit;
    case Relation::Above:
        break;
    }
    return *number > limit;
}

int HeadCondition::decimalsFor(double number, int fewest) const {
    constexpr int most = 9;
    if (relation == Relation::About || !std::isfinite(number))
        return fewest;
    int decimals = fewest;
    const auto isOnItsSide = [&] {
        const double written = QString::number(number, 'f', decimals).toDouble();
        return (written < limit) == (number < limit) && (written > limit) == (number > limit);
    };
    while (decimals < most && !isOnItsSide())
        ++decimals;
    return decimals;
}

HeadSearch headSearch(const QString& typed) {
    HeadSearch search;
    const QStringList parts = partsOf(typed);
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const auto relation = relationOf(parts[i]);
        if (!relation) {
            search.words += parts[i];
            continue;
        }
        QString name;
        const auto measure = takeMeasure(search.words, name);
        const QString number = i + 1 < parts.size() ? parts[++i] : QString();
        const auto limit = numberIn(number);
        if (!measure && search.mistake.isEmpty())
            search.mistake = name.isEmpty()
                                 ? HeadSearchWords::tr("Expected the name of a statistic before “%1”: %2.")
                                       .arg(parts[i - !number.isEmpty()], allNames())
                                 : HeadSearchWords::tr("No statistic is called \u201C%1\u201D. There are %2.")
                                       .arg(isolated(name), allNames());
        else if (measure && !limit && search.mistake.isEmpty())
            search.mistake =
                number.isEmpty()
                    ? HeadSearchWords::tr("Expected a number after \u201C%1 %2\u201D, such as 0.5 or 50 %.")
                          .arg(name, parts[i])
                    : HeadSearchWords::tr("\u201C%1\u201D is not a number. Expected a number after "
                                          "\u201C%2\u201D, such as 0.5 or 50 %.")
                          .arg(isolated(number), name);
        if (!measure || !limit)
            continue;
        search.conditions.push_back(
            {.statistic = measure->statistic, .relation = *relation, .limit = *limit});
        search.conditionTexts += QStringLiteral("%1 %2 %3").arg(name, parts[i - 1], number);
    }
    return search;
}

QString searchTip() {
    return HeadSearchWords::tr("An address or its beginning, words of the role, or a statistic and a limit: "
                               "entropy < 1, diagonal > 50 %, importance >= 0.1");
}

bool isStatisticName(const QString& word) {
    return measureCalled(word.toLower()).has_value();
}

} // namespace headscope::widgets
