#include "app/desktop/settings.h"

#include <QUrl>

namespace headscope::app {

namespace {

constexpr int mostRecent = 8;
constexpr int longestHistory = 30;

/// Encodes the path, as QSettings would treat its slashes as groups.
QString keyOf(const QString& group, const QString& path) {
    return group + QString::fromLatin1(path.toUtf8().toPercentEncoding());
}
QString answersOf(const QString& path) {
    return keyOf("models/answers/", path);
}
QString openedOf(const QString& path) {
    return keyOf("recent/opened/", path);
}
QString patternOf(const QString& path) {
    return keyOf("models/pattern/", path);
}
QString languageOf(const QString& path) {
    return keyOf("models/language/", path);
}
QString historyOf(const QString& path) {
    return keyOf("models/sentences/", path);
}
QString decodingOf(const QString& path) {
    return keyOf("models/decoding/", path);
}

} // namespace

QStringList Settings::addToList(const QString& key, const QString& text, int longest) {
    QStringList list = store_.value(key).toStringList();
    list.removeAll(text);
    list.prepend(text);
    store_.setValue(key, list.mid(0, longest));
    return list.mid(longest);
}

QStringList Settings::recentModels() const {
    return store_.value("models/recent").toStringList();
}
void Settings::addRecentModel(const QString& path) {
    for (const QString& left : addToList("models/recent", path, mostRecent)) {
        setAnswers(left, {});
        for (const QString& key : {patternOf(left), languageOf(left), historyOf(left), openedOf(left)})
            store_.remove(key);
    }
}

QStringList Settings::recentSessions() const {
    return store_.value("sessions/recent").toStringList();
}
void Settings::addRecentSession(const QString& path) {
    for (const QString& left : addToList("sessions/recent", path, mostRecent))
        store_.remove(openedOf(left));
}

OpenedFile Settings::opened(const QString& path) const {
    const QStringList stored = store_.value(openedOf(path)).toStringList();
    return {.isRecording = stored.value(0) == "recording",
            .about = stored.value(1),
            .when = QDateTime::fromString(stored.value(2), Qt::ISODate)};
}

void Settings::setOpened(const QString& path, const OpenedFile& opened) {
    store_.setValue(openedOf(path), QStringList{opened.isRecording ? "recording" : "", opened.about,
                                                opened.when.toString(Qt::ISODate)});
}

ModelSettings Settings::answers(const QString& path) const {
    ModelSettings answers;
    for (const QString& answer : store_.value(answersOf(path)).toStringList())
        answers[answer.section('=', 0, 0).toStdString()] = answer.section('=', 1).toStdString();
    return answers;
}

void Settings::setAnswers(const QString& path, const ModelSettings& answers) {
    QStringList list;
    for (const auto& [key, value] : answers)
        list += QString::fromStdString(key + "=" + value);
    if (list.isEmpty())
        store_.remove(answersOf(path));
    else
        store_.setValue(answersOf(path), list);
}

QString Settings::tokenizerPattern(const QString& path) const {
    return store_.value(patternOf(path)).toString();
}

void Settings::setTokenizerPattern(const QString& path, const QString& pattern) {
    if (pattern.isEmpty())
        store_.remove(patternOf(path));
    else
        store_.setValue(patternOf(path), pattern);
}

std::optional<QString> Settings::targetLanguage(const QString& path) const {
    const QVariant language = store_.value(languageOf(path));
    return language.isValid() ? std::optional(language.toString()) : std::nullopt;
}

void Settings::setTargetLanguage(const QString& path, const QString& language) {
    store_.setValue(languageOf(path), language);
}

QStringList Settings::history(const QString& path) const {
    return store_.value(historyOf(path)).toStringList();
}
void Settings::addToHistory(const QString& path, const QString& sentence) {
    addToList(historyOf(path), sentence, longestHistory);
}
bool Settings::isIntroduced() const {
    return store_.value("start/introduced", false).toBool();
}
void Settings::setIntroduced() {
    store_.setValue("start/introduced", true);
}
bool Settings::keepsLast() const {
    return store_.value("start/keepsLast", true).toBool();
}
void Settings::setKeepsLast(bool keeps) {
    store_.setValue("start/keepsLast", keeps);
}
std::optional<LastShown> Settings::last() const {
    const QStringList last = store_.value("start/last").toStringList();
    return last.size() == 3 ? std::optional(LastShown{last[0], last[1], last[2]}) : std::nullopt;
}
void Settings::setLast(const std::optional<LastShown>& last) {
    if (last)
        store_.setValue("start/last", QStringList{last->sentence, last->model, last->path});
    else
        store_.remove("start/last");
}
QString Settings::theme() const {
    return store_.value("view/theme", "system").toString();
}
void Settings::setTheme(const QString& theme) {
    store_.setValue("view/theme", theme);
}

int Settings::textSize() const {
    return store_.value("view/text-size", 100).toInt();
}

void Settings::setTextSize(int percent) {
    store_.setValue("view/text-size", percent);
}

bool Settings::motion() const {
    return store_.value("view/motion", true).toBool();
}

void Settings::setMotion(bool isOn) {
    store_.setValue("view/motion", isOn);
}
bool Settings::spaceMarks() const {
    return store_.value("view/spaceMarks", false).toBool();
}
void Settings::setSpaceMarks(bool shown) {
    store_.setValue("view/spaceMarks", shown);
}
double Settings::unsureBelow() const {
    constexpr double atFirst = 0.8;
    bool isNumber = false;
    const double below = store_.value("decode/unsureBelow", atFirst).toDouble(&isNumber);
    return isNumber && below >= 0 && below <= 1 ? below : atFirst;
}
void Settings::setUnsureBelow(double probability) {
    store_.setValue("decode/unsureBelow", probability);
}
QString Settings::pictureFolder() const {
    return store_.value("pictures/folder").toString();
}
void Settings::setPictureFolder(const QString& folder) {
    store_.setValue("pictures/folder", folder);
}
QVariantMap Settings::pictureChoices() const {
    return store_.value("pictures/choices").toMap();
}
void Settings::setPictureChoices(const QVariantMap& choices) {
    store_.setValue("pictures/choices", choices);
}
QVariantMap Settings::decoding(const QString& model) const {
    return store_.value(decodingOf(model)).toMap();
}
void Settings::setDecoding(const QString& model, const QVariantMap& decoding) {
    if (decoding.isEmpty())
        store_.remove(decodingOf(model));
    else
        store_.setValue(decodingOf(model), decoding);
}
bool Settings::knowsFormerKeys() {
    const char* key = "window/knowsFormerKeys";
    if (!store_.contains(key)) // asked at the first start of this version, before it opens a model
        store_.setValue(key, !recentModels().isEmpty());
    return store_.value(key).toBool();
}
bool Settings::addToldKeys(const QString& keys) {
    QStringList told = store_.value("window/toldKeys").toStringList();
    if (told.contains(keys))
        return false;
    store_.setValue("window/toldKeys", told += keys);
    return true;
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
