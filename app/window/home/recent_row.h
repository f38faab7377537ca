#pragma once

#include <QIcon>
#include <QPushButton>

#include "app/desktop/settings.h"

namespace headscope::app {

/// A model, recording or session that was opened before: its name, what it is and when it was opened.
class RecentRow : public QPushButton {
    Q_OBJECT

  public:
    enum class Kind { Model, Recording, Session };
    RecentRow(const QString& path, Kind kind, const OpenedFile& opened, QWidget* parent);

    /// "today", "yesterday", a day of the week, or a date; empty for no time.
    static QString dayInWords(const QDateTime& when, const QDate& today);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QIcon icon_;
    QString name_;
    QString about_;
    QString day_;
};

} // namespace headscope::app
