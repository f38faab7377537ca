#pragma once

#include "app/document/document.h"
#include "app/window/status_line.h"

#include <functional>
#include <vector>

class QLabel;

namespace headscope::widgets {
class SelfCheckBadge;
class View;
} // namespace headscope::widgets

namespace headscope::app {

/// The status bar: self-check, device, running work and the description of the cell under the pointer.
class WindowStatus : public StatusLine {
    Q_OBJECT

  public:
    /// Long work that can be stopped.
    struct Work {
        std::function<bool()> isUnderWay;
        std::function<QString()> words;
    };
    /// The document must outlive this.
    WindowStatus(Document* document, QWidget* parent);

    widgets::SelfCheckBadge* badge() const { return badge_; }
    /// The last non-empty cell description; empty before the first.
    const QString& cell() const { return cellWords_; }
    /// Adds work; the first one in progress is shown. Call follow() whenever it starts or ends.
    void addWork(Work work) { works_.push_back(std::move(work)); }
    void addWork(std::function<bool()> isUnderWay, const QString& words);
    /// From now on, shows the description of the cell under the pointer in `view`.
    template <class View>
    void describe(View* view, void (View::*signal)(const QString&)) {
        connect(view, signal, this, [this, view](const QString& words) { sayCell(view, words); });
    }

  public Q_SLOTS:
    void say(const QString& message) { showMessage(message, messageTime); }
    void follow();
    /// Home is shown: says that everything stays on this computer.
    void setHomeShown(bool isShown);

  Q_SIGNALS:
    /// Whether work that can be stopped is in progress.
    void busyChanged(bool busy);

  private:
    void sayCell(const QObject* by, const QString& words);
    QString whatMain() const;
    QString whatIsAmiss() const;
    bool isCutOff() const;

    Document* document_;
    std::vector<Work> works_;
    widgets::SelfCheckBadge* badge_;
    QLabel* device_;
    QLabel* local_;
    QLabel* working_;
    QLabel* cell_;
    QString cellWords_;
    const QObject* speaker_ = nullptr; ///< source of the text in cell_
    double shareRead_ = 1;             ///< share of the input encoded so far, from 0 to 1
};

} // namespace headscope::app
