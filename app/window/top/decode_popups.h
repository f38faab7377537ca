#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"
#include "app/document/decode_controller.h"

#include <memory>
#include <optional>

class QFrame;

namespace headscope::widgets {
class DecodingEditor;
class RunToEditor;
} // namespace headscope::widgets

namespace headscope::app {

/// The popups of the decode bar: decoding options, stored for each model, and Run Until; also the way to the
/// next uncertain token.
class DecodePopups : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    DecodePopups(QWidget* window, DecodeController* controller, Settings* settings, const Actions& actions);

    /// Applies the user's stored decoding options for this model, else the model's defaults.
    void setModel(std::shared_ptr<const trace::ModelSummary> model);
    /// Threshold of Settings::unsureBelow().
    double unsureBelow() const;
    void setUnsureBelow(double probability);
    /// Goes to the next token of the output that was chosen with a lower probability.
    void toNextUnsure();

  Q_SIGNALS:
    void unsureBelowChanged(double probability);
    /// A message for the status bar.
    void said(const QString& words);

  private:
    QFrame* frameFor(QWidget* content, ActionId id);
    void open(QFrame* frame, ActionId id);
    void followDecoding();
    void sayUnsure(std::optional<int> step);

    QWidget* window_;
    DecodeController* controller_;
    Settings* settings_;
    const Actions& actions_;
    std::shared_ptr<const trace::ModelSummary> model_;
    widgets::DecodingEditor* options_;
    widgets::RunToEditor* runTo_;
    bool isSeekingUnsure_ = false; ///< runTo() was called by the action, not by the popup
};

} // namespace headscope::app
