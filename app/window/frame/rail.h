#pragma once

#include <QWidget>

#include <map>
#include <string>

class QAction;
class QToolButton;
class QVBoxLayout;

namespace headscope::app {

/// The workspaces at the left edge of the window.
class Rail : public QWidget {
    Q_OBJECT

  public:
    /// With all of widgets::workspaces(), and below them `train`.
    Rail(QAction* train, QWidget* parent);

    void setCurrent(const std::string& workspace);
    void setTitle(const std::string& workspace, const QString& title);
    /// `whyNot` is not empty where the workspace has nothing to show.
    void setWhyNot(const std::string& workspace, const QString& whyNot);

  Q_SIGNALS:
    void chosen(const std::string& workspace);

  private:
    QToolButton* add(const QString& title);

    QVBoxLayout* column_;
    std::map<std::string, QToolButton*> buttons_;
};

} // namespace headscope::app
