#pragma once

#include <QObject>

#include "app/window/actions.h"
#include "app/window/decode_controller.h"
#include "app/window/settings.h"

#include <memory>

class QFrame;

namespace headscope::widgets {
class DecodingOptions;
class RunToEditor;
} // namespace headscope::widgets

namespace headscope::app {

/// What opens below the decode bar: the decoding options, remembered for every model, and where to run to.
class DecodePopups : public QObject {
    Q_OBJECT

  public:
    /// All that is given outlives this.
    DecodePopups(QWidget* window, DecodeController* controller, Settings* settings, const Actions& actions);

    /// Another model is open: it decodes as a person chose for it last, else as its folder says.
    void setModel(std::shared_ptr<const trace::ModelSummary> model);

  private:
    QFrame* frameFor(QWidget* content, ActionId id);
    void open(QFrame* frame, ActionId id);
    void followDecoding();

    QWidget* window_;
    DecodeController* controller_;
    Settings* settings_;
    const Actions& actions_;
    std::shared_ptr<const trace::ModelSummary> model_;
    widgets::DecodingOptions* options_;
    widgets::RunToEditor* runTo_;
};

} // namespace headscope::app
