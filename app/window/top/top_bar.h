#pragma once

#include <QWidget>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"
#include "app/document/document.h"

namespace headscope::widgets {
class SnapshotBar;
}

class QHBoxLayout;

namespace headscope::app {

class HeadBar;
class ModelButton;
class SentencePanel;
class SnapshotController;
class StatePills;

/// Menus, model, sentence and snapshots, in full width above the views; and the parts that stand beside
/// these.
class TopBar : public QWidget {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    TopBar(Document* document, const Settings& settings, Actions* actions, QWidget* parent);

    ModelButton* models() const { return models_; }
    HeadBar* heads() const { return headBar_; }
    SentencePanel* sentence() const { return sentence_; }
    widgets::SnapshotBar* snapshots() const { return snapshots_; }
    SnapshotController* trainingTime() const { return trainingTime_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void showModel(const std::shared_ptr<const trace::ModelSummary>& model);

    ModelButton* models_;
    QHBoxLayout* bar_;
    HeadBar* headBar_;
    widgets::SnapshotBar* snapshots_;
    SnapshotController* trainingTime_;
    SentencePanel* sentence_;
    StatePills* pills_;
};

} // namespace headscope::app
