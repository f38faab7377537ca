#pragma once

#include <QWidget>

#include "app/document/document.h"

#include <vector>

class QLabel;

namespace headscope::widgets {
class SnapshotBar;
}

namespace headscope::app {

/// What else than the model as opened is shown, in a few words each that are there only while they are true:
/// a random twin beside it, forced tokens, a snapshot, a recording; what of the model's files was left out,
/// and that it does not know a part of the text. (Changes have a button, which undoes them.)
class StatePills : public QWidget {
    Q_OBJECT

  public:
    /// Both outlive this.
    StatePills(const Document* document, const widgets::SnapshotBar* snapshots, QWidget* parent);

    /// Those that are seen.
    QStringList words() const;

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QLabel* add();
    void follow();
    void paintPills();

    const Document* document_;
    const widgets::SnapshotBar* snapshots_;
    std::vector<QLabel*> pills_;
    QLabel* baseline_;
    QLabel* forced_;
    QLabel* snapshot_;
    QLabel* recording_;
    QLabel* notes_;
    QLabel* unknown_;
};

} // namespace headscope::app
