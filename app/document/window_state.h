#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/document/model_opener.h"
#include "app/document/what_if.h"
#include "app/sessions/session.h"
#include "widgets/controls/view_choices.h"
#include "widgets/selection.h"

#include <functional>
#include <optional>
#include <vector>

class QTabWidget;

namespace headscope::app {

class KeptLayout;
class SentencePanel;

/// What the window shows as a value, and the way back: the model is opened, the run shown or computed again,
/// everything chosen set as it was. Layout and the weights' hash are left to others.
class WindowState : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    struct Parts {
        RunQueue* queue = nullptr;
        DecodeController* controller = nullptr;
        WhatIf* whatIf = nullptr;
        ModelOpener* opener = nullptr;
        widgets::Selection* selection = nullptr;
        std::function<std::shared_ptr<const trace::ModelSummary>()> model; ///< that is open; null: none
        SentencePanel* sentence = nullptr;
        const widgets::ViewChoices* choices = nullptr;
        QTabWidget* tabs = nullptr;
        std::vector<std::string> tabNames; ///< of its pages, in order
        KeptLayout* layout = nullptr;
    };
    WindowState(Parts parts, QObject* parent);

    SessionState capture() const;
    /// The same and where the keys have gone, which undo knows nothing of.
    SessionState toSave() const;
    bool hasModel() const { return !parts_.opener->openPath().isEmpty(); }
    /// Something is on its way that will be shown: a model, a run.
    bool isUnsettled() const;

    /// Ends with applied() or failed(), perhaps before it returns. What was being applied before is dropped;
    /// where it was asked for by another, that fails.
    void apply(const SessionState& state, const QObject* by);
    bool isApplying() const { return wanted_.has_value(); }
    /// A model that the person opens is given up; false where none is on its way.
    bool stopOpening();
    /// The person went elsewhere meanwhile.
    void abandon();
    /// This model is waited for: once it is open, what comes next is decided here, not by the window.
    bool isOpening(const QString& model) const {
        return wanted_ && opening_ && wanted_->model.path == model.toStdString();
    }
    void takeOver();

  Q_SIGNALS:
    /// Everything is as it was asked for, as far as the model has it.
    void applied(const QObject* by);
    /// The model could not be opened, or nothing be decoded with it: the window shows something else.
    void failed(const QObject* by);

  private:
    bool isShown(const SessionState& state) const;
    void captureRun(SessionState& state) const;
    void applyRun();
    void applyChoices();
    void applySelection();
    void finish();
    void fail();
    void follow();

    Parts parts_;
    std::optional<SessionState> wanted_; ///< as long as it is being applied
    const QObject* by_ = nullptr;        ///< who asked for it
    bool opening_ = false;               ///< its model
    bool asking_ = false;                ///< what is decoded now is decoded for it
};

} // namespace headscope::app
