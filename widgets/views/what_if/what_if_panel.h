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

/// The list of changes in the model, to switch on and off, and their effect. The panel only emits requests;
/// the owner of the list applies them.
class WhatIfPanel : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the panel.
    explicit WhatIfPanel(Selection* selection, QWidget* parent = nullptr);

    void setModel(std::shared_ptr<const trace::ModelSummary> model);
    void setInterventions(std::vector<trace::Intervention> interventions);
    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);

    ChangeComparison* comparison() const { return comparison_; }
    QMenu* addMenu() const { return addMenu_; }
    /// Lists the changes for the current selection.
    void fillAddMenu();
    /// Adds an entry for a change, with its editor if it has one. The panel must outlive the menu.
    void offer(QMenu& menu, const ProposedChange& proposed);
    /// Returns why the open model cannot be changed; empty if it can.
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
