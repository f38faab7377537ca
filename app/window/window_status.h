#pragma once

#include "app/results/results.h"
#include "app/window/status_line.h"

#include <functional>
#include <vector>

class QLabel;

namespace headscope::widgets {
class SelfCheckBadge;
class View;
} // namespace headscope::widgets

namespace headscope::app {

/// What stands at the foot of the window: the self-check, the device, what is being computed, and what is
/// pointed at.
class WindowStatus : public StatusLine {
    Q_OBJECT

  public:
    /// Something that takes long and can be stopped.
    struct Work {
        std::function<bool()> isUnderWay;
        std::function<QString()> words;
    };
    /// The document outlives this.
    WindowStatus(Document* document, QWidget* parent);

    widgets::SelfCheckBadge* badge() const { return badge_; }
    /// Last description of a cell; empty before the first.
    const QString& cell() const { return cellWords_; }
    /// The first work in progress is shown. Call follow() whenever the work starts or ends.
    void addWork(Work work) { works_.push_back(std::move(work)); }
    void addWork(std::function<bool()> isUnderWay, const QString& words);
    /// From now on, shows the description of whatever the pointer is over in `view`.
    template <class View>
    void describe(View* view, void (View::*signal)(const QString&)) {
        connect(view, signal, this, [this, view](const QString& words) { sayCell(view, words); });
    }

  public Q_SLOTS:
    void say(const QString& message) { showMessage(message, messageTime); }
    void follow();

  Q_SIGNALS:
    /// Something is under way that can be stopped, or nothing.
    void busyChanged(bool busy);

  private:
    void sayCell(const QObject* by, const QString& words);
    QString whatMain() const;
    bool isCutOff() const;

    Document* document_;
    std::vector<Work> works_;
    widgets::SelfCheckBadge* badge_;
    QLabel* device_;
    QLabel* working_;
    QLabel* cell_;
    QString cellWords_;
    const QObject* speaker_ = nullptr; ///< whose words cell_ shows
    double shareRead_ = 1;             ///< of what the run that is under way is given, where that takes long
};

} // namespace headscope::app
