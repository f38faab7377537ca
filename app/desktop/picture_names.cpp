#include "app/desktop/picture_names.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace headscope::app {

QString endingOf(const QString& path) {
    static const QRegularExpression number(QStringLiteral("^[0-9]+$"));
    const QString ending = QFileInfo(path).suffix().toLower();
    return number.match(ending).hasMatch() ? QString() : ending;
}

QString proposedFile(const QString& folder, const QString& title, const QString& ending) {
    static const QRegularExpression unusual(QStringLiteral("[^\\w.()-]+"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression dotsAhead(QStringLiteral("^[. ]+"));
    const QString name =
        QString(title).replace(unusual, QStringLiteral(" ")).remove(dotsAhead).trimmed().left(100);
    const bool isThere = !folder.isEmpty() && QFileInfo(folder).isDir();
    const QDir place(isThere ? folder : QStandardPaths::writableLocation(QStandardPaths::PicturesLocation));
    const QDir existing = place.exists() ? place : QDir::home();
    return QDir::cleanPath(
        existing.absoluteFilePath((name.isEmpty() ? QStringLiteral("picture") : name) + '.' + ending));
}

} // namespace headscope::app
