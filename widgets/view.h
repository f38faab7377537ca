#pragma once

#include <QWidget>

#include "widgets/errand.h"
#include "widgets/figure_source.h"

#include <memory>
#include <optional>

namespace headscope::widgets {

struct MapOptions;

/// A view as the window and `render` know it: what it is told of what is shown, and what it wants computed
/// for that.
class View : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    using QWidget::QWidget;
    /// Child widgets are destroyed later and must not signal a half-destroyed view.
    ~View() override {
        for (auto* part : findChildren<QObject*>())
            part->disconnect(this);
    }

    /// The one that is open; not null.
    virtual void setModel(std::shared_ptr<const trace::ModelSummary> /*model*/) {}
    /// May be null. Complete values, also while it is decoded.
    virtual void setRun(std::shared_ptr<const trace::Run> /*run*/) {}
    virtual void setSpaceMarksShown(bool /*shown*/) {}
    /// How maps of attention are drawn.
    virtual void setMapOptions(const MapOptions& /*options*/) {}
    /// Of the model before: what was typed about that says nothing about this one.
    virtual void forgetTyped() {}
    /// The child that gets the focus when the tab opens; null: the window keeps it, and keys step.
    virtual QWidget* takesKeys() const { return nullptr; }
    /// Applies the options that belong to this view alone; pages and other choices are applied separately.
    /// Throws trace::Refusal.
    virtual void showPicture(const PictureOptions& /*options*/) {}
    /// Why there is nothing to draw; empty where nothing can be said.
    virtual QString whyEmpty() const { return {}; }
    /// What is in sight and not known yet; nothing where all is there, or the view is hidden.
    virtual std::optional<Errand> errand() { return std::nullopt; }

  Q_SIGNALS:
    /// errand() may be another one.
    void errandChanged();
    /// What is under the pointer or the cursor, in words; empty when there is nothing.
    void cellDescribed(const QString& words);

  protected:
    void showEvent(QShowEvent* event) override {
        QWidget::showEvent(event);
        Q_EMIT errandChanged();
    }
    void hideEvent(QHideEvent* event) override {
        QWidget::hideEvent(event);
        Q_EMIT errandChanged();
    }
};

} // namespace headscope::widgets
