#pragma once

#include <QWidget>

#include "model/trace/run.h"
#include "widgets/view.h"

#include <memory>
#include <vector>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QMenu;
class QPushButton;
class QToolButton;

namespace headscope::widgets {

struct ProposedChange;

/// The list of changes in the model: to add to, to edit, and to switch on and off.
class ChangeList : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the list.
    explicit ChangeList(const Selection* selection, QWidget* parent = nullptr);

    void follow(const DocumentState& document);
    /// Lists a change of each kind, for the current selection, when it is about to be shown.
    QMenu* addMenu() const { return addMenu_; }
    /// Adds entries for changes of a head, and of a cell. The list must outlive the menu.
    void addTo(QMenu& menu, const PointedAt& pointed);

  Q_SIGNALS:
    void intended(const headscope::widgets::Intent& intent);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void buildList();
    void fillAddMenu();
    void offer(QMenu& menu, const ProposedChange& proposed);
    /// Wants another list of changes.
    void want(std::vector<trace::Intervention> changes);
    void edit(int index);
    void removeCurrent();
    void itemChanged(const QListWidgetItem* item);
    void showList();
    void showItem(QListWidgetItem* item, const trace::Intervention& intervention) const;
    void fitList();
    /// Why the open model cannot be changed; empty if it can.
    QString whyNothing() const;

    const Selection* selection_;
    std::shared_ptr<const trace::ModelSummary> model_;
    std::shared_ptr<const trace::Run> run_;
    std::vector<trace::Intervention> changes_;

    QListWidget* list_;
    QLabel* empty_;
    QToolButton* add_;
    QMenu* addMenu_;
    QPushButton* remove_;
    QPushButton* clear_;
};

} // namespace headscope::widgets
