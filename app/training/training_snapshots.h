#pragma once

#include <QTimer>
#include <QWidget>

#include "app/training/snapshot_reader.h"
#include "app/training/training_plan.h"
#include "model/trace/attention_site.h"
#include "model/trace/refusal.h"

#include <cstdint>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QSplitter;
class QToolButton;
class QTreeWidget;

namespace headscope::widgets {
class HeatmapView;
class Selection;
} // namespace headscope::widgets

namespace headscope::app {

/// A series of snapshots that is open, and what is shown of it elsewhere.
struct OpenSeries {
    QString folder;
    QString sentence;
    trace::HeadAddress head;
    std::optional<std::int64_t> step;
    friend bool operator==(const OpenSeries&, const OpenSeries&) = default;
};

/// Watches a head learn: its map in the newest snapshot of a training or in the chosen one, small maps of all
/// snapshots, and what each of them writes.
class TrainingSnapshots : public QWidget {
    Q_OBJECT

  public:
    TrainingSnapshots(WorkQueue::MakeEngine makeEngine, QWidget* parent);

    /// The folders of the training to watch; its snapshots need not exist yet.
    void setFolders(const TrainingFolders& folders);
    /// An open series in place of a training: sentence, head and snapshot are chosen there, too.
    void setSeries(const OpenSeries& series);
    /// The sentence to read unless another was typed.
    void proposeSentence(const QString& sentence);
    /// Reads the snapshots that are new. Cheap.
    void follow();
    void leaveComputing() { reader_->leave(); }
    /// Step of the snapshot whose map is shown; empty until one is known.
    std::optional<std::int64_t> shownStep() const;
    std::optional<trace::HeadAddress> shownHead() const;
    QString sentence() const;
    const SnapshotReader& reader() const { return *reader_; }

  Q_SIGNALS:
    // Of an open series; the user chose another.
    void stepChosen(qint64 step);
    void headChosen(headscope::trace::HeadAddress head);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QWidget* buildMap();
    QWidget* buildGallery();
    void ask();
    void showKnown();
    void fillHeads(const trace::Run& run);
    void chooseHead();
    void fillGallery();
    void fillOutputs();
    void choose(std::int64_t step);
    void play(bool on);
    /// What it writes, or answers.
    static QString outputOf(const trace::Run& run);
    const SnapshotReading* chosen() const;
    trace::HeadAddress mostChanged() const;

    SnapshotReader* reader_;
    widgets::Selection* selection_;
    widgets::HeatmapView* map_;
    QLabel* title_;
    QComboBox* heads_;
    QLineEdit* sentence_;
    QLabel* empty_;
    QSplitter* parts_;
    QListWidget* gallery_;
    QTreeWidget* outputs_;
    QToolButton* play_;
    QTimer pace_;
    TrainingFolders folders_;
    std::optional<OpenSeries> series_; ///< nothing: a training
    bool isSentenceTyped_ = false;
    std::optional<std::int64_t> step_; ///< of the chosen snapshot; nothing: the newest
    trace::RefusalText refusal_;
};

} // namespace headscope::app
