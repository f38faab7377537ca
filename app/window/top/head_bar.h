#pragma once

#include <QWidget>

#include "app/desktop/actions.h"

#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace headscope::app {

/// Title of the selected head with its role and its state, and the quantity and display of its map.
class HeadBar : public QWidget {
    Q_OBJECT

  public:
    explicit HeadBar(const Actions& actions, QWidget* parent = nullptr);

    /// For buttons that choose how the head is shown.
    QWidget* modes() const { return modes_; }
    void setTitle(const QString& title);
    /// Shows the role of the selected head; clickable if `toolTip` is not empty.
    void setRole(const QString& role, const QString& toolTip);
    /// What was changed in the head, such as "off"; empty: nothing.
    void setChange(const QString& change);

  Q_SIGNALS:
    void roleClicked();

  protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void style();
    void fit();
    QToolButton* optionsButton(const Actions& actions);
    QComboBox* choiceOf(const QString& name, const QStringList& shown, const std::vector<QAction*>& actions);

    QLabel* title_;
    QToolButton* role_;
    QLabel* change_;
    QWidget* modes_;
};

} // namespace headscope::app
