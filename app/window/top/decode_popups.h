#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/window/actions.h"
#include "app/window/settings.h"

#include <memory>
#include <optional>

class QFrame;

namespace headscope::widgets {
class DecodingOptions;
class RunToEditor;
} // namespace headscope::widgets

namespace headscope::app {

/// What opens below the decode bar: the decoding options, remembered for every model, and where to run to,
/// which is also done without it: to the next token that the model was not sure of.
class DecodePopups : public QObject {
    Q_OBJECT

  public:
    /// All that is given outlives this.
    DecodePopups(QWidget* window, DecodeController* controller, Settings* settings, const Actions& actions);

    /// Another model is open: it decodes as a person chose for it last, else as its folder says.
    void setModel(std::shared_ptr<const trace::ModelSummary> model);
    /// Of a token that the model was not sure of; remembered for every model.
    double unsureBelow() const;

  Q_SIGNALS:
    void unsureBelowChanged(double probability);
    /// For the status bar.
    void said(const QString& words);

  private:
    QFrame* frameFor(QWidget* content, ActionId id);
    void open(QFrame* frame, ActionId id);
    void followDecoding();
    void toNextUnsure();
    void sayUnsure(std::optional<int> step);

    QWidget* window_;
    DecodeController* controller_;
    Settings* settings_;
    const Actions& actions_;
    std::shared_ptr<const trace::ModelSummary> model_;
    widgets::DecodingOptions* options_;
    widgets::RunToEditor* runTo_;
    bool isSeekingUnsure_ = false; ///< what is run to was asked for without the popup
};

} // namespace headscope::app
