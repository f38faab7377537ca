#pragma once

#include <QPushButton>

#include "app/window/actions.h"
#include "app/window/settings.h"
#include "model/trace/model_summary.h"

#include <functional>

class QMenu;

namespace headscope::app {

/// Bundled and recent models, each of which does `open` with its path or name when it is chosen. What was in
/// the menu goes.
void fillModelMenu(QMenu* menu, const Settings& settings, const std::function<void(const QString&)>& open);

/// A folder, or a weights file or trace, that a person chooses; empty where they thought better of it.
QString chosenModel(QWidget* window, bool folder);

/// Names the open model; its menu opens another one.
class ModelButton : public QPushButton {
    Q_OBJECT

  public:
    /// All of them outlive this.
    ModelButton(const Settings& settings, const Actions& actions, QWidget* parent);

    void setModel(const trace::ModelSummary& model);
    /// With room for the longest of `others`, so that nothing beside it moves as one follows the other.
    void showName(const QString& name, const QStringList& others);
    /// Models may have been opened since it was shown.
    void fill();

  Q_SIGNALS:
    void chosen(const QString& pathOrName);

  private:
    const Settings& settings_;
    const Actions& actions_;
};

} // namespace headscope::app
