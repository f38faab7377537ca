#pragma once

#include <QTimer>

#include "app/desktop/actions.h"
#include "app/document/document.h"

namespace headscope::app {

/// Goes through the decoded steps, one every half second.
class StepPlayer : public QObject {
    Q_OBJECT

  public:
    StepPlayer(Document* document, const Actions& actions, QObject* parent);

  private:
    /// While decoding, stops; decodes what is missing; else starts or stops to play.
    void toggle();
    void advance();

    Document* document_;
    QTimer timer_;
    int step_ = 0; ///< that was gone to last: another one stops playing
};

} // namespace headscope::app
