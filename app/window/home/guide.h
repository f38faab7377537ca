#pragma once

#include <QObject>

#include "app/sessions/session.h"
#include "app/window/window_intents.h"

namespace headscope::app {

class LearnWindow;
class OpenedModel;
class SessionController;
class Tour;
class WelcomeStrip;

/// What helps a person to begin: a line at the start, the tour, and the window of Learn. Keeps what is shown
/// when the window is closed, for the next start.
class Guide : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    Guide(const IntendedParts& parts, SessionController* sessions, OpenedModel* opened, WelcomeStrip* strip);

    /// Says what the open model is at the first start; later, and if nothing was asked for, offers to
    /// continue. `lastFile` keeps what is shown at the end.
    void begin(const QString& lastFile, bool isAskedFor);
    /// The window is being closed.
    void keepLast();

  public Q_SLOTS:
    /// `target` as ManualBrowser::open() takes it; empty: what was shown last.
    void showLearn(const QString& target = {});

  private:
    void connectStrip();
    LearnWindow* learn();
    bool isAsAtTheStart(const SessionState& state) const;

    IntendedParts parts_;
    SessionController* sessions_;
    OpenedModel* opened_;
    WelcomeStrip* strip_;
    Tour* tour_;
    LearnWindow* learn_ = nullptr; ///< null until requested
    QString lastFile_;             ///< empty: nothing is kept
};

} // namespace headscope::app
