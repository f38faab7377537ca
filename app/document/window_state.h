#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/document/model_opener.h"
#include "app/sessions/session.h"
#include "widgets/controls/view_choices.h"
#include "widgets/selection.h"

#include <functional>
#include <optional>
#include <vector>

namespace headscope::app {

/// Captures what the window shows as a value, and restores it: opens the model, shows or recomputes the run
/// and restores all choices. Layout and the hash of the weights are handled elsewhere.
class WindowState : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    struct Parts {
        WorkQueue* queue = nullptr;
        DecodeController* controller = nullptr;
        ModelOpener* opener = nullptr;
        widgets::Selection* selection = nullptr;
        std::function<std::shared_ptr<const trace::ModelSummary>()> model; ///< the open one; null: none
        /// The field of the sentence and that of the second text of a pair.
        struct Typed {
            std::function<QString()> text;
            std::function<void(const QString&)> setText;
            std::function<void(const std::optional<std::string>&)> setSecond;
        } typed;
        const widgets::ViewChoices* choices = nullptr;
        std::function<std::string()> view;               ///< key of the one in front
        std::function<void(const std::string&)> setView; ///< ignores those that the model lacks
    };
    WindowState(Parts parts, QObject* parent);

    SessionState capture() const;
    /// Like capture(), with the position of the keyboard cursor, which undo ignores.
    SessionState toSave() const;
    bool hasModel() const { return !parts_.opener->openPath().isEmpty(); }
    /// A model is being opened, a run decoded or a state applied.
    bool isUnsettled() const;

    /// Ends with applied() or failed(), perhaps before it returns. Drops the state being applied before;
    /// emits failed() for it if another object requested it.
    void apply(const SessionState& state, const QObject* by);
    bool isApplying() const { return wanted_.has_value(); }
    /// Cancels opening a model for the user; returns false if none is being opened.
    bool stopOpening();
    /// Gives up applying a state, because the user went elsewhere meanwhile.
    void abandon();
    /// True if this model is being opened as part of applying a state: the caller then calls takeOver() once
    /// it is open.
    bool isOpening(const QString& model) const {
        return wanted_ && opening_ && wanted_->model.path == model.toStdString();
    }
    void takeOver();

  Q_SIGNALS:
    /// Everything is restored, as far as the model allows.
    void applied(const QObject* by);
    /// The model could not be opened or could not decode the request: the window shows something else.
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
    std::optional<SessionState> wanted_; ///< the state being applied
    const QObject* by_ = nullptr;        ///< the object that requested it
    bool opening_ = false;               ///< its model is being opened
    bool asking_ = false;                ///< the current request belongs to it
};

} // namespace headscope::app
