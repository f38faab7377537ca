#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/document/document.h"

#include <cstddef>
#include <vector>

namespace headscope::app {

class DecodePopups;
class Results;

/// The action that goes to the next token about which the model is unsure: one that was chosen with a low
/// probability, a mask, one that was probably replaced, or a word on which both columns of a classifier's
/// answer disagree. After the last one it starts again.
class NextUnsure : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    NextUnsure(Document* document, Results* results, DecodePopups* popups, Actions* actions, QObject* parent);

  Q_SIGNALS:
    /// Where it went, or why nowhere, for the status bar.
    void said(const QString& words);

  private:
    void nameAction();
    void go();
    void goToMask();
    void goToLabel();
    void goToAnswer();
    void goToReplaced();
    void goToDisagreement();
    /// Pins the next of these tokens of the source, which are in their order; returns it.
    std::size_t pinNext(const std::vector<std::size_t>& tokens);

    Document* document_;
    Results* results_;
    DecodePopups* popups_;
    Actions* actions_;
};

} // namespace headscope::app
