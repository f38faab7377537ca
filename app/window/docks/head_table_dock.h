#pragma once

#include <QDockWidget>

#include "app/desktop/actions.h"
#include "app/document/document.h"
#include "app/results/corpus_run.h"
#include "widgets/map/map_layout.h"
#include "widgets/selection.h"
#include "widgets/tables/known_heads.h"

#include <optional>

class QMainWindow;
class QMenu;

namespace headscope::widgets {
class HeadPage;
class HeadTable;
} // namespace headscope::widgets

namespace headscope::app {

/// The head table and the page of the selected head, connected to their numbers: those of the shown run while
/// the dock is open, those of a corpus on request.
class HeadTableDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All objects must outlive the dock.
    HeadTableDock(Document* document, widgets::Selection* selection, Actions* actions, QMainWindow* parent);

    widgets::HeadTable* table() const { return table_; }
    widgets::HeadPage* page() const { return page_; }
    CorpusRun* corpus() const { return corpus_; }
    /// Adds "Find Heads with Attention from “a” to “b”" to the menu of a cell; nothing if there is no cell.
    void addCell(QMenu& menu, trace::AttentionKind kind, const std::optional<widgets::MapCell>& cell);

  public Q_SLOTS:
    void open();
    /// Runs the sentences of a text file as the corpus.
    void runFile(const QString& path);

  Q_SIGNALS:
    void headOpened(headscope::trace::HeadAddress head);
    /// A corpus sentence that drives the head (CorpusStatistics::driving()) is to be decoded.
    void sentenceChosen(const QString& sentence);
    /// A text file could not be read.
    void refused(const headscope::trace::RefusalText& text);

  private:
    void connectPage();
    void connectNumbers();
    void openCell(const widgets::WatchedCell& cell);
    void followRun();
    void followCorpus();
    void showTwinOfCorpus();
    void showHead();
    void computeIntervals();
    void runSamples();
    void chooseFile();

    Document* document_;
    widgets::Selection* selection_;
    Actions* actions_;
    CorpusRun* corpus_;
    widgets::HeadTable* table_;
    widgets::HeadPage* page_;
    std::optional<analysis::CorpusStatistics::Intervals> intervals_; ///< of the head intervalsOf_
    std::optional<trace::HeadAddress> intervalsOf_;
};

} // namespace headscope::app
