#include "app/window/docks/head_table_dock.h"

#include "app/desktop/dock_tabs.h"
#include "app/desktop/file_dialogs.h"
#include "app/models/corpus.h"
#include "app/models/resource_folders.h"
#include "model/analysis/heads/head_ranking.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/views/head_page/head_page.h"
#include "widgets/views/head_table/head_table.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QSplitter>

#include <algorithm>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;
using widgets::HeadPage;
using widgets::HeadTable;

namespace {

constexpr int headTableHeight = 340; ///< space for the search field, a dozen heads and the caption
constexpr int pageWidth = 320;
constexpr std::size_t mostSentences = 10'000;

} // namespace

HeadTableDock::HeadTableDock(Document* document, widgets::Selection* selection, Actions* actions,
                             QMainWindow* parent)
    : QDockWidget(tr("Head table"), parent), document_(document), selection_(selection), actions_(actions),
      corpus_(new CorpusRun(document, this)), table_(new HeadTable(selection, this)),
      page_(new HeadPage(this)) {
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->addWidget(table_);
    halves->addWidget(page_);
    halves->setStretchFactor(0, 2);
    halves->setStretchFactor(1, 1);
    halves->setSizes({2 * pageWidth, pageWidth});
    halves->setChildrenCollapsible(false);
    setWidget(new widgets::RoomyArea(halves, this));
    layOnOpenDocksFromMenu(this);
    connectNumbers();
    connectPage();
    followRun();
    followCorpus();
}

void HeadTableDock::connectNumbers() {
    connect(document_->controller(), &DecodeController::runChanged, this, &HeadTableDock::followRun);
    connect(corpus_, &CorpusRun::progressed, this, &HeadTableDock::followCorpus);
    connect(corpus_, &CorpusRun::resultChanged, this, [this] {
        intervalsOf_.reset();
        showTwinOfCorpus();
        table_->setCorpus(corpus_->result() ? corpus_->result()->heads : HeadTable::Heads());
    });
    connect(document_, &Document::stateChanged, this, &HeadTableDock::showTwinOfCorpus);
    connect(selection_, &widgets::Selection::headChanged, this, &HeadTableDock::showHead);
    connect(table_, &HeadTable::listedChanged, this, &HeadTableDock::showHead);
    connect(table_, &HeadTable::headOpened, this, &HeadTableDock::headOpened);
}

void HeadTableDock::connectPage() {
    connect(page_, &HeadPage::samplesRequested, this, &HeadTableDock::runSamples);
    connect(page_, &HeadPage::fileRequested, this, &HeadTableDock::chooseFile);
    connect(page_, &HeadPage::cancelRequested, corpus_, &CorpusRun::stop);
    connect(page_, &HeadPage::sentenceChosen, this, &HeadTableDock::sentenceChosen);
    connect((*actions_)[ActionId::Stop], &QAction::triggered, corpus_, [this] {
        if (corpus_->isRunning())
            corpus_->stop();
    });
}

void HeadTableDock::open() {
    openOnTop(this, isHidden(), headTableHeight);
    table_->takesKeys()->setFocus(Qt::ShortcutFocusReason);
}

void HeadTableDock::openCell(const widgets::WatchedCell& cell) {
    open();
    table_->setCell(cell);
}

void HeadTableDock::addCell(QMenu& menu, trace::AttentionKind kind,
                            const std::optional<widgets::MapCell>& cell) {
    const auto& run = document_->run();
    if (!cell || !run)
        return;
    menu.addSeparator();
    const widgets::WatchedCell watched{.kind = kind, .query = cell->row, .key = cell->column};
    menu.addAction(
        tr("Find Heads with Attention %1").arg(widgets::fromHereToThere(*run, watched)).replace('&', "&&"),
        this, [this, watched] { openCell(watched); });
}

void HeadTableDock::followRun() {
    const auto& run = document_->run();
    page_->setWhyNoCorpus(!run || !run->model ? tr("Nothing is decoded yet.")
                          : run->model->tokenizer.empty()
                              ? tr("This model has no tokenizer and reads ids only.")
                              : QString());
}

void HeadTableDock::followCorpus() {
    page_->setProgress(corpus_->isRunning() ? std::optional(HeadPage::Progress{.done = corpus_->done(),
                                                                               .wanted = corpus_->wanted()})
                                            : std::nullopt);
    page_->setRefused(corpus_->refused());
}

/// Shows the twin's numbers only if the active twin has run the same corpus.
void HeadTableDock::showTwinOfCorpus() {
    const auto& result = corpus_->result();
    const bool hasTwin = widgets::hasTwin(document_->state());
    const bool hasRead = result && hasTwin && result->twinSeed == document_->state().twinSeed;
    table_->setTwinOfCorpus(hasRead ? result->twinHeads : HeadTable::Heads());
    page_->setTwinUnread(result && hasTwin && !hasRead);
}

/// Shows what the table knows about the selected head.
void HeadTableDock::showHead() {
    const auto head = selection_->head();
    auto facts = widgets::headFacts(table_->known(), head);
    if (!facts)
        return page_->setFacts(std::nullopt);
    // When another model opens, this may run before the table has dropped the corpus.
    const auto& result = corpus_->result();
    const auto known = result ? std::ranges::find(result->heads, head, &analysis::HeadStatistics::head)
                              : HeadTable::Heads::const_iterator();
    const bool isKnown = result && known != result->heads.end();
    if (isKnown) {
        facts->drivenBy = analysis::drivingStatistic(*known);
        facts->driving = result->corpus.driving(head, facts->drivenBy);
    }
    const bool withIntervals = isKnown && table_->showsCorpus();
    if (withIntervals && intervalsOf_ == head)
        facts->intervals = intervals_;
    page_->setFacts(std::move(facts));
    if (withIntervals && intervalsOf_ != head)
        computeIntervals();
}

/// On a worker thread: a thousand resampled corpora for each statistic.
void HeadTableDock::computeIntervals() {
    const auto head = selection_->head();
    document_->queue()->compute(JobKind::Intervals, this, [this, head, result = corpus_->result()] {
        return [this, head, intervals = result->corpus.intervals(head)] {
            intervals_ = intervals;
            intervalsOf_ = head;
            showHead();
        };
    });
}

/// Runs the sample corpus, which is large enough to assign roles; models for other languages and toy models
/// bring their own, fewer samples.
void HeadTableDock::runSamples() {
    const auto& run = document_->run();
    const bool own = run && run->model && !run->model->samples.empty() && run->model->sourceLanguage != "en";
    corpus_->start(own ? run->model->samples : sampleCorpus());
}

void HeadTableDock::chooseFile() {
    const QString path =
        askFileToOpen({.window = this,
                       .title = tr("Run Sentences"),
                       .filters = tr("Sentences (*.txt *.tsv *.txt.gz *.tsv.gz);;All files (*)")});
    if (!path.isEmpty())
        runFile(path);
}

void HeadTableDock::runFile(const QString& path) {
    try {
        corpus_->start(readSources(path.toStdString(), mostSentences));
    } catch (const trace::Refusal& refusal) {
        Q_EMIT refused(refusal.text());
    }
}

} // namespace headscope::app
