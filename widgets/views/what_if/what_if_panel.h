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

class ChangeComparison;
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
    /// As ChangeComparison::setRuns().
    void setRuns(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Run> undisturbed,
                 std::shared_ptr<const trace::Run> forced);

    ChangeComparison* comparison() const { return comparison_; }
    QMenu* addMenu() const { return addMenu_; }
    /// With what can be changed where a person looks now.
    void fillAddMenu();
    /// An entry that adds a change, after its editor where it has one. The panel outlives the menu.
    void offer(QMenu& menu, const ProposedChange& proposed);
    /// Why nothing can be changed in what is open; empty where it can.
    QString whyNothing() const;

  Q_SIGNALS:
    void added(const headscope::trace::Change& change);
    void replaced(int index, const headscope::trace::Change& change);
    void switched(int index, bool on);
    void removed(int index);
    void cleared();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void buildList();
    void edit(int index);
    void removeCurrent();
    void itemChanged(const QListWidgetItem* item);
    void showList();
    void showItem(QListWidgetItem* item, const trace::Intervention& intervention) const;
    void fitList();

    Selection* selection_;
    std::shared_ptr<const trace::ModelSummary> model_;
    std::shared_ptr<const trace::Run> run_;
    std::vector<trace::Intervention> interventions_;

    QListWidget* list_;
    QLabel* empty_;
    QToolButton* add_;
    QMenu* addMenu_;
    QPushButton* remove_;
    QPushButton* clear_;
    ChangeComparison* comparison_;
};

} // namespace headscope::widgets
