#pragma once

#include <QString>

class QWidget;

namespace headscope::widgets {

/// Interface of the window for views, which know runs only: whether a model is open or being opened.
class ModelWindow {
  public:
    virtual bool isModelMissing() const = 0;

  protected:
    ~ModelWindow() = default;
};

/// False if `view` is not inside a ModelWindow.
bool isModelMissing(const QWidget& view);

/// Tells the user how to get a run to show in `view`.
QString hintForNoRun(const QWidget& view);
/// The same, phrased for a trace::RefusalText.
QString fixForNoRun(const QWidget& view);

} // namespace headscope::widgets
