#pragma once

#include <QWidget>

#include "app/desktop/actions.h"

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QStackedWidget;
class QToolButton;

namespace headscope::app {

class KeyList;
class ManualBrowser;

/// The tour, the manual with its terms and a full-text search, and the keyboard shortcuts.
class LearnWindow : public QWidget {
    Q_OBJECT

  public:
    /// `folder` of the manual. The actions outlive the window.
    LearnWindow(const QString& folder, const Actions& actions, QWidget* parent);

    ManualBrowser* browser() const { return browser_; }
    KeyList* keys() const { return keys_; }
    void showGlossary();
    void showKeys();

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Match {
        std::size_t page;
        int position;
    };

    QWidget* buildContents(const Actions& actions);
    void showRow(int row);
    QWidget* buildReading();
    QToolButton* button(const QString& text, const QString& tip, const QKeySequence& keys);
    void search();
    void showMatch(int row);
    void showNextMatch(int by);

    std::vector<Match> matches_;
    bool isGlossary_ = false; ///< being opened: its row stays
    ManualBrowser* browser_;
    KeyList* keys_;
    QStackedWidget* shown_; ///< the manual or the keys
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
