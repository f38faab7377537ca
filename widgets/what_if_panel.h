#pragma once

#include <QWidget>

#include "model/trace/run.h"
#include "widgets/selection.h"

#include <memory>
#include <vector>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QMenu;
class QPushButton;
class QToolButton;

namespace headscope::widgets {

class StepComparisonView;
struct ProposedChange;

/// The list of what is changed in the model, to switch on and off, and what it did: the undisturbed output
/// over the changed one, and the change at every step. It only asks: whoever owns the list sets it.
class WhatIfPanel : public QWidget {
    Q_OBJECT

  public:
    /// `selection` outlives the panel.
    explicit WhatIfPanel(Selection* selection, QWidget* parent = nullptr);

    void setModel(std::shared_ptr<const trace::ModelSummary> model);
    void setInterventions(std::vector<trace::Intervention> interventions);
    /// The run that is shown; the undisturbed one; the changed model reading the undisturbed output. The last
    /// two are null where there is nothing to compare, or as long as they are not there.
    void setRuns(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Run> undisturbed,
                 std::shared_ptr<const trace::Run> forced);

    /// The steps of an earlier comparison stay until there are newer ones, so that nothing blinks: there will
    /// be none.
    void dropSteps();

    /// What the comparison says, without its pictures.
    QString comparisonWords() const;
    QMenu* addMenu() const { return addMenu_; }
    /// An entry that adds a change, after its editor where it has one. The panel outlives the menu.
    void offer(QMenu& menu, const ProposedChange& proposed);

  Q_SIGNALS:
    void added(const headscope::trace::Change& change);
    void replaced(int index, const headscope::trace::Change& change);
    void switched(int index, bool on);
    void removed(int index);
    void cleared();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void buildList();
    void buildComparison();
    void fillAddMenu();
    void edit(int index);
    void removeCurrent();
    void itemChanged(const QListWidgetItem* item);
    void showList();
    void showItem(QListWidgetItem* item, const trace::Intervention& intervention) const;
    void fitList();
    void showComparison();
    void showSteps();
    void showNote();
    QString sumInWords() const;

    Selection* selection_;
    std::shared_ptr<const trace::ModelSummary> model_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::Run> undisturbed_;
    std::shared_ptr<const trace::Run> forced_;
    std::vector<trace::Intervention> interventions_;

    QListWidget* list_;
    QLabel* empty_;
    QToolButton* add_;
    QMenu* addMenu_;
    QPushButton* remove_;
    QPushButton* clear_;
    QLabel* note_;
    QLabel* before_;
    QLabel* after_;
    QLabel* sum_;
    StepComparisonView* steps_;
};

} // namespace headscope::widgets
