#pragma once

#include <QWidget>

#include "widgets/figure_source.h"
#include "widgets/intent.h"
#include "widgets/view_context.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QMenu;

namespace headscope::widgets {

/// A view as used by the window and by `render`: it receives what is shown, and says what it wants to know.
class View : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    using QWidget::QWidget;
    /// Child widgets are destroyed later and must not signal a half-destroyed view.
    ~View() override {
        for (auto* part : findChildren<QObject*>())
            part->disconnect(this);
    }

    /// Called once, before the view is shown. All that the context names outlives the view.
    virtual void setContext(const ViewContext& context) { context_ = context; }
    const ViewContext& context() const { return context_; }
    /// What the visible content needs, most urgent first, whether it is known already or not.
    virtual std::vector<trace::Wanted> questions() const { return {}; }
    /// Shows the context as it is now: the document, an answer or a refusal is another.
    virtual void refresh() {}
    /// A choice, or an option of `render`, whose result is not there, though it was computed as far as it can
    /// be; and why, where that is known.
    struct Lacking {
        std::string choice;
        std::optional<trace::RefusalText> why;
    };
    virtual std::optional<Lacking> lacks() const { return std::nullopt; }
    /// `model` is the open one and not null.
    virtual void setModel(std::shared_ptr<const trace::ModelSummary> /*model*/) {}
    /// `run` may be null. Runs are complete values, even while decoding goes on.
    virtual void setRun(std::shared_ptr<const trace::Run> /*run*/) {}
    virtual void setSpaceMarksShown(bool /*shown*/) {}
    /// Shows all of its zoomed maps.
    virtual void fit() {}
    /// A card beside others: shows the current step in little room; else it shows all that it has.
    bool isCard() const { return isCard_; }
    void setCard(bool isCard) {
        if (std::exchange(isCard_, isCard) != isCard)
            showForm();
    }
    /// A line with what holds for all of the view, for the place beside the buttons of a canvas; null: none.
    virtual QWidget* canvasLine() const { return nullptr; }
    /// What it is about now, beside its title in the inspector: a step, a cell. Empty: nothing.
    virtual QString note() const { return {}; }
    /// Horizontal positions of the target's tokens above the view, in its pixels; empty: they are not on one
    /// line.
    virtual void setCentres(std::vector<double> /*centres*/) {}
    /// Adds what the view offers to do with a head or a cell, to the context menu of another view. The view
    /// must outlive the menu.
    virtual void addTo(QMenu& /*menu*/, const PointedAt& /*pointed*/) {}
    /// What it offers to do with what is selected, for the menu bar (ViewSpec::menu) and the search; filled
    /// when it is about to be shown. Null: nothing.
    virtual QMenu* menu() const { return nullptr; }
    /// Shows which heads are found by typed words; false: the view does not.
    virtual bool findHeads(const QString& /*words*/) { return false; }
    /// Clears text that the user typed for the previous model.
    virtual void forgetTyped() {}
    /// The child that gets the focus when the tab opens; null: the window keeps the focus, so that the arrow
    /// keys step.
    virtual QWidget* takesKeys() const { return nullptr; }
    /// Why an action of its spec can do nothing now; empty if it can.
    virtual QString whyNot(const std::string& /*action*/) const { return {}; }
    /// What an action of its spec is called now; empty: as its spec says.
    virtual QString nameOf(const std::string& /*action*/) const { return {}; }
    /// An action of its spec was triggered that has a name.
    virtual void act(const std::string& /*action*/) {}
    /// Applies the options that belong to this view alone; pages and other choices are applied separately.
    /// Throws trace::Refusal.
    virtual void showPicture(const PictureOptions& /*options*/) {}
    /// Why there is nothing to draw; empty if unknown.
    virtual QString whyEmpty() const { return {}; }
    /// What a person can do about it, if whyEmpty() does not say so: in the window, or with options of
    /// `render`, as an infinitive.
    virtual QString wayOutInWindow() const { return {}; }
    virtual QString wayOutOfCommand() const { return {}; }
    /// Takes note of what a person wants in another view or in a menu.
    virtual void noteIntent(const Intent& /*intent*/) {}

  Q_SIGNALS:
    /// questions() may have changed.
    void questionsChanged();
    /// note() may have changed.
    void noteChanged();
    /// whyNot() or nameOf() may have changed, and the document did not.
    void actionsChanged();
    void intended(const headscope::widgets::Intent& intent);
    /// Description of the item under the pointer or the cursor; empty if there is none.
    void cellDescribed(const QString& words);

  protected:
    /// isCard() is another.
    virtual void showForm() {}
    void showEvent(QShowEvent* event) override {
        QWidget::showEvent(event);
        Q_EMIT questionsChanged();
    }
    void hideEvent(QHideEvent* event) override {
        QWidget::hideEvent(event);
        Q_EMIT questionsChanged();
    }

  private:
    ViewContext context_;
    bool isCard_ = false;
};

} // namespace headscope::widgets
