#pragma once

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QAction;
class QCheckBox;
class QHBoxLayout;
class QLabel;

namespace headscope::widgets {

class MarkedSlider;
class ViewChoices;

/// A slider over the snapshots of a training.
class SnapshotBar : public QWidget {
    Q_OBJECT

  public:
    explicit SnapshotBar(QWidget* parent = nullptr);

    /// `steps`: training steps of the snapshots, ascending; fewer than two hide the bar. `shown`: index of
    /// the open snapshot. Emits nothing.
    void setSnapshots(std::vector<std::int64_t> steps, int shown);
    int shown() const;
    int count() const { return steps_.size(); }
    /// Nothing where the model is no snapshot.
    std::optional<std::int64_t> shownStep() const;
    /// Adds a button for `action` next to the slider.
    void addButton(QAction* action);
    /// Returns true if all snapshots read the shown output, false if each decodes its own.
    bool keepsOutput() const;
    /// Binds whether it does.
    void addChoices(ViewChoices& choices);

  public Q_SLOTS:
    void setKeepsOutput(bool keeps);
    /// Moves the slider. Ignored if `index` is out of range.
    void choose(int index);

  Q_SIGNALS:
    void snapshotChosen(int index);

  private:
    void sayWhere();

    std::vector<std::int64_t> steps_;
    QHBoxLayout* row_;
    MarkedSlider* slider_;
    QLabel* where_;
    QCheckBox* keep_;
};

} // namespace headscope::widgets
