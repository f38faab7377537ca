#pragma once

#include <QPushButton>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"
#include "model/trace/model_summary.h"

#include <functional>
#include <vector>

class QMenu;

namespace headscope::app {

struct OfferedModel {
    QString shown;
    QString pathOrName;
    bool isRecent = false; ///< else bundled
    bool exists = true;
};
/// The bundled models, then those that were opened last.
std::vector<OfferedModel> offeredModels(const Settings& settings);

/// Refills the menu with the bundled and recent models. Choosing one calls `open` with its name or path.
void fillModelMenu(QMenu* menu, const Settings& settings, const std::function<void(const QString&)>& open);

/// Asks the user for a model folder, or for a weights file or trace; empty if cancelled.
QString chosenModel(QWidget* window, bool folder);

/// Shows the open model's name; its menu opens another model.
class ModelButton : public QPushButton {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    ModelButton(const Settings& settings, const Actions& actions, QWidget* parent);

    void setModel(const trace::ModelSummary& model);
    /// With one line of text, for narrow windows.
    void setBrief(bool isBrief);
    /// Sets the name, with a width that fits all of `others`, so that neighbours do not move when it changes.
    void showName(const QString& name, const QStringList& others);
    /// Updates the menu, as the recent models may have changed.
    void fill();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  Q_SIGNALS:
    void chosen(const QString& pathOrName);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    bool isBrief() const;
    int widthOf(const QString& name) const;

    QString detail_; ///< languages and layers, below the name
    QStringList others_;
    bool isBrief_ = false;
    const Settings& settings_;
    const Actions& actions_;
};

} // namespace headscope::app
