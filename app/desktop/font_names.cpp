#include "app/desktop/font_names.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QStringList>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace headscope::app {

namespace {

struct FontNamesWords {
    Q_DECLARE_TR_FUNCTIONS(FontNames)
};

/// Generic names, which fontconfig and style sheets map to an installed family.
bool isGeneric(const QString& family) {
    static const QStringList names{"sans",    "sans-serif", "sans serif", "serif",      "monospace",
                                   "cursive", "fantasy",    "system-ui",  "ui-serif",   "ui-sans-serif",
                                   "mono",    "math",       "emoji",      "ui-rounded", "ui-monospace"};
    return names.contains(family.toLower());
}

/// Levenshtein distance: letters to insert, delete or replace.
int distance(const QString& one, const QString& other) {
    std::vector<int> row(other.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (const QChar letter : one) {
        int above = std::exchange(row[0], row[0] + 1); // the cell above and one to the left
        for (std::size_t i = 1; i < row.size(); ++i) {
            const int same = above + (letter == other[static_cast<qsizetype>(i) - 1] ? 0 : 1);
            above = row[i];
            row[i] = std::min({same, row[i - 1] + 1, row[i] + 1});
        }
    }
    return row.back();
}

/// Family names without the foundry: "Nimbus Sans [urw]" becomes "Nimbus Sans".
QStringList families() {
    QStringList names;
    for (const QString& family : QFontDatabase::families())
        if (const QString name = family.section(QStringLiteral(" ["), 0, 0); !names.contains(name))
            names += name;
    return names;
}

} // namespace

bool isInstalled(const QString& family) {
    return isGeneric(family) || QFontDatabase::hasFamily(family) ||
           QFontDatabase::families().contains(family, Qt::CaseInsensitive); // last, as it lists them all
}

QString whyNotInstalled(const QString& family) {
    constexpr qsizetype shown = 3;
    QStringList closest = families();
    std::ranges::stable_sort(closest, {}, [sought = family.toLower()](const QString& name) {
        return distance(sought, name.toLower());
    });
    return FontNamesWords::
        tr("expected an installed font family, such as %1 (fc-list : family lists them all), found \"%2\"")
            .arg(closest.mid(0, shown).join(QStringLiteral(", ")), family);
}

QString installedFamily(const QFont& font) {
    return isInstalled(font.family()) ? font.family() : QFontInfo(font).family();
}

} // namespace headscope::app
