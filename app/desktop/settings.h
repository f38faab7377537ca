#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariantMap>

#include "app/models/reading_trials.h"

#include <optional>

namespace headscope::app {

/// What was known of a file when it was opened.
struct OpenedFile {
    bool isRecording = false;
    QString about; ///< empty: opened by an earlier version
    QDateTime when;
};

/// What was shown when the last window was closed.
struct LastShown {
    QString sentence;
    QString model; ///< its title
    QString path;  ///< of a session
};

/// Settings that persist between starts.
class Settings {
  public:
    QStringList recentModels() const;
    /// Moves `path` to the front of the recent models.
    void addRecentModel(const QString& path);
    QStringList recentSessions() const;
    void addRecentSession(const QString& path);
    /// What is known about a recent model or session. Removed when it leaves the list of recent files.
    OpenedFile opened(const QString& path) const;
    void setOpened(const QString& path, const OpenedFile& opened);
    /// The user's settings for a model that lacks them; forgotten with the recent models.
    ModelSettings answers(const QString& path) const;
    void setAnswers(const QString& path, const ModelSettings& answers);
    /// The regular expression with which the user splits the text of a model; empty: as its files say.
    /// Forgotten with the recent models.
    QString tokenizerPattern(const QString& path) const;
    void setTokenizerPattern(const QString& path, const QString& pattern);
    /// Code of the target language last chosen for a model: "" for none, nullopt if never chosen. Forgotten
    /// with the recent models.
    std::optional<QString> targetLanguage(const QString& path) const;
    void setTargetLanguage(const QString& path, const QString& language);
    /// Sentences decoded with a model, newest first. Forgotten with the recent models.
    QStringList history(const QString& path) const;
    void addToHistory(const QString& path, const QString& sentence);
    /// The person has seen what is said at the first start.
    bool isIntroduced() const;
    void setIntroduced();
    /// Whether the window keeps its last state for the next start.
    bool keepsLast() const;
    void setKeepsLast(bool keeps);
    std::optional<LastShown> last() const;
    void setLast(const std::optional<LastShown>& last);
    QString theme() const; ///< "system", "light" or "dark"
    void setTheme(const QString& theme);
    int textSize() const; ///< in per cent of the desktop's
    void setTextSize(int percent);
    bool motion() const; ///< whether parts of the window may move by themselves
    void setMotion(bool isOn);
    bool spaceMarks() const;
    void setSpaceMarks(bool shown);
    /// Tokens chosen with a lower probability count as uncertain.
    double unsureBelow() const;
    void setUnsureBelow(double probability);
    QString pictureFolder() const;
    void setPictureFolder(const QString& folder);
    /// The user's last export options; empty if never set.
    QVariantMap pictureChoices() const;
    void setPictureChoices(const QVariantMap& choices);
    /// The user's decoding options for a model; empty: the model's defaults.
    QVariantMap decoding(const QString& model) const;
    void setDecoding(const QString& model, const QVariantMap& decoding);
    /// Whether an earlier version, with other keys, was used here before.
    bool knowsFormerKeys();
    /// Notes that a key was explained; false if it was before.
    bool addToldKeys(const QString& keys);
    QByteArray geometry() const;
    QByteArray layout() const;
    void setWindow(const QByteArray& geometry, const QByteArray& layout);
    void forgetWindow();

  private:
    /// Returns what fell off the end.
    QStringList addToList(const QString& key, const QString& text, int longest);

    QSettings store_;
};

} // namespace headscope::app
