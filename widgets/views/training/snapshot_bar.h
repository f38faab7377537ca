#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

class QAction;
class QCheckBox;
class QHBoxLayout;
class QLabel;

namespace headscope::widgets {

class MarkedSlider;

/// A slider over the moments of a training at which a model was kept.
class SnapshotBar : public QWidget {
    Q_OBJECT

  public:
    explicit SnapshotBar(QWidget* parent = nullptr);

    /// After how many steps each was kept, in their order; fewer than two hide the bar. `shown` is the index
    /// of the one that is open. Emits nothing.
    void setSnapshots(std::vector<std::int64_t> steps, int shown);
    int shown() const;
    int count() const { return static_cast<int>(steps_.size()); }
    /// A button for an action, beside the slider.
    void addButton(QAction* action);
    /// The output that is shown is read by the other snapshots, which else make their own.
    bool keepsOutput() const;

  public Q_SLOTS:
    void setKeepsOutput(bool keeps);
    /// As if the person had moved the slider; out of range, does nothing.
    void choose(int index);

  Q_SIGNALS:
    void snapshotChosen(int index);
    void keepsOutputChanged(bool keeps);

  private:
    void sayWhere();

    std::vector<std::int64_t> steps_;
    QHBoxLayout* row_;
    MarkedSlider* slider_;
    QLabel* where_;
    QCheckBox* keep_;
};

} // namespace headscope::widgets
