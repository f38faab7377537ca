#pragma once

#include <QString>

class QWidget;

namespace headscope::widgets {

/// Views know of runs alone: the window that they stand in says whether a model is open, or about to be.
class ModelWindow {
  public:
    virtual bool isModelMissing() const = 0;

  protected:
    ~ModelWindow() = default;
};

/// Where no window says it, one is open.
bool isModelMissing(const QWidget& view);

/// What a person does so that `view`, which has no run to show, gets one.
QString hintForNoRun(const QWidget& view);
/// The same in a refusal's words.
QString fixForNoRun(const QWidget& view);

} // namespace headscope::widgets
