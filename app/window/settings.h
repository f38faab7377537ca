#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariantMap>

namespace headscope::app {

/// What is remembered from one start to the next.
class Settings {
  public:
    QStringList recentModels() const;
    /// Moves it to the front.
    void addRecentModel(const QString& path);
    QStringList history() const;
    void addToHistory(const QString& sentence);
    QString theme() const; ///< "system", "light" or "dark"
    void setTheme(const QString& theme);
    bool spaceMarks() const;
    void setSpaceMarks(bool shown);
    QString pictureFolder() const;
    void setPictureFolder(const QString& folder);
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
