#include "app/window/settings.h"

#include <QUrl>

namespace headscope::app {

namespace {

constexpr int mostRecentModels = 8;
constexpr int longestHistory = 30;

/// A path would make groups of its folders.
QString keyOf(const QString& model) {
    return "decoding/" + QString::fromLatin1(QUrl::toPercentEncoding(model));
}

} // namespace

void Settings::addToList(const QString& key, const QString& text, int longest) {
    QStringList list = store_.value(key).toStringList();
    list.removeAll(text);
    list.prepend(text);
    store_.setValue(key, list.mid(0, longest));
}

QStringList Settings::recentModels() const {
    return store_.value("models/recent").toStringList();
}
void Settings::addRecentModel(const QString& path) {
    addToList("models/recent", path, mostRecentModels);
}
QStringList Settings::history() const {
    return store_.value("sentences/history").toStringList();
}
void Settings::addToHistory(const QString& sentence) {
    addToList("sentences/history", sentence, longestHistory);
}
QString Settings::theme() const {
    return store_.value("view/theme", "system").toString();
}
void Settings::setTheme(const QString& theme) {
    store_.setValue("view/theme", theme);
}
bool Settings::spaceMarks() const {
    return store_.value("view/spaceMarks", true).toBool();
}
void Settings::setSpaceMarks(bool shown) {
    store_.setValue("view/spaceMarks", shown);
}
QString Settings::pictureFolder() const {
    return store_.value("pictures/folder").toString();
}
void Settings::setPictureFolder(const QString& folder) {
    store_.setValue("pictures/folder", folder);
}
QVariantMap Settings::decoding(const QString& model) const {
    return store_.value(keyOf(model)).toMap();
}
void Settings::setDecoding(const QString& model, const QVariantMap& decoding) {
    if (decoding.isEmpty())
        store_.remove(keyOf(model));
    else
        store_.setValue(keyOf(model), decoding);
}
QByteArray Settings::geometry() const {
    return store_.value("window/geometry").toByteArray();
}
QByteArray Settings::layout() const {
    return store_.value("window/layout").toByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& layout) {
    store_.setValue("window/geometry", geometry);
    store_.setValue("window/layout", layout);
}

void Settings::forgetWindow() {
    store_.remove("window/geometry");
    store_.remove("window/layout");
}

} // namespace headscope::app
