#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariantMap>

#include "app/models/reading_trials.h"

#include <optional>

namespace headscope::app {

/// What is remembered from one start to the next.
class Settings {
  public:
    QStringList recentModels() const;
    /// Moves it to the front.
    void addRecentModel(const QString& path);
    /// What a person said of a model that does not say it itself; forgotten with the recent models.
    ModelSettings answers(const QString& path) const;
    void setAnswers(const QString& path, const ModelSettings& answers);
    /// The code of the language that a model was last asked to translate into; "" for none, nothing if it was
    /// never chosen. Forgotten with the recent models.
    std::optional<QString> targetLanguage(const QString& path) const;
    void setTargetLanguage(const QString& path, const QString& language);
    /// Sentences that a model was given, the newest first. Forgotten with the recent models.
    QStringList history(const QString& path) const;
    void addToHistory(const QString& path, const QString& sentence);
    QString theme() const; ///< "system", "light" or "dark"
    void setTheme(const QString& theme);
    bool spaceMarks() const;
    void setSpaceMarks(bool shown);
    /// A token that was chosen with less probability is one that the model was not sure of.
    double unsureBelow() const;
    void setUnsureBelow(double probability);
    QString pictureFolder() const;
    void setPictureFolder(const QString& folder);
    /// How pictures are written, as a person chose last; empty: never.
    QVariantMap pictureChoices() const;
    void setPictureChoices(const QVariantMap& choices);
    /// How a model decodes, as a person chose it; empty: as the model says.
    QVariantMap decoding(const QString& model) const;
    void setDecoding(const QString& model, const QVariantMap& decoding);
    QByteArray geometry() const;
    QByteArray layout() const;
    void setWindow(const QByteArray& geometry, const QByteArray& layout);
    void forgetWindow();

  private:
    void addToList(const QString& key, const QString& text, int longest);

    QSettings store_;
};

} // namespace headscope::app
