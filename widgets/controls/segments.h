#pragma once

#include <QWidget>

#include <vector>

class QButtonGroup;
class QToolButton;

namespace headscope::widgets {

/// Buttons side by side, of which one is down. Hidden where it leaves no choice.
class Segments : public QWidget {
    Q_OBJECT

  public:
    /// `name` is the accessible name.
    Segments(const QString& name, const QStringList& titles, QWidget* parent);

    int currentIndex() const;
    void setCurrentIndex(int index);
    void setToolTip(int index, const QString& words);
    void setEnabled(int index, bool isEnabled);
    using QWidget::setEnabled;
    using QWidget::setToolTip;
    /// At least one stays.
    void setShown(const std::vector<bool>& shown);

  Q_SIGNALS:
    void currentChanged(int index);

  private:
    QButtonGroup* group_;
    std::vector<QToolButton*> buttons_;
};

} // namespace headscope::widgets
