#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QToolButton;

namespace headscope::app {

class ManualBrowser;

/// The window of the manual: a list of pages, a full-text search and the shown page.
class ManualWindow : public QWidget {
    Q_OBJECT

  public:
    ManualWindow(const QString& folder, QWidget* parent);

    ManualBrowser* browser() const { return browser_; }

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Match {
        std::size_t page;
        int position;
    };

    QWidget* buildContents();
    QWidget* buildReading();
    QToolButton* button(const QString& text, const QString& tip, const QKeySequence& keys);
    void search();
    void showMatch(int row);
    void showNextMatch(int by);

    std::vector<Match> matches_;
    ManualBrowser* browser_;
    QLineEdit* words_;
    QListWidget* list_;
    QListWidget* found_;
    QLabel* summary_;
    QToolButton* back_;
    QToolButton* forward_;
    QToolButton* previous_;
    QToolButton* next_;
};

} // namespace headscope::app
