#include "app/training/train_page.h"

#include "app/desktop/message_panel.h"
#include "app/document/document.h"
#include "app/models/training_log.h"
#include "app/training/training_form.h"
#include "app/training/training_snapshots.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/controls/snapshot_bar.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/window_style.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/places.h"
#include "widgets/words/plain_words.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace headscope::app {

namespace {

QString duration(double seconds) {
    const auto whole = static_cast<qint64>(std::min(seconds, 1e9));
    return QStringLiteral("%1:%2:%3")
        .arg(whole / 3600)
        .arg(whole / 60 % 60, 2, 10, QChar('0'))
        .arg(whole % 60, 2, 10, QChar('0'));
}

} // namespace

TrainPage::TrainPage(WorkQueue::MakeEngine makeEngine, QWidget* parent)
    : QWidget(parent), columns_(new QSplitter(Qt::Horizontal, this)), form_(new TrainingForm(this)),
      process_(new TrainingProcess(this)), message_(new MessagePanel(this)), train_(new QPushButton(this)),
      stop_(new QPushButton(this)), open_(new QPushButton(tr("Open the &Model"), this)),
      openSeries_(new QPushButton(this)), copy_(new QPushButton(tr("&Copy as Command"), this)),
      bar_(new QProgressBar(this)), step_(new QLabel(tr("Nothing is being trained"), this)),
      status_(widgets::wrappedLabel(this)), missing_(widgets::wrappedLabel(this)),
      validation_(widgets::wrappedLabel(this)), point_(new QLabel(this)),
      snapshots_(new TrainingSnapshots(std::move(makeEngine), this)) {
    shown_.training.emplace();
    setAccessibleName(tr("Train"));
    widgets::setLook(train_, widgets::ButtonLook::Primary);
    setAcceptDrops(true);
    columns_->setChildrenCollapsible(false);
    columns_->addWidget(buildForm());
    columns_->addWidget(buildProgress());
    columns_->setStretchFactor(1, 1);
    columns_->setSizes({372, 1000});
    auto* all = new QVBoxLayout(this);
    all->addWidget(message_);
    all->addWidget(columns_, 1);
    connect(form_, &TrainingForm::changed, this, &TrainPage::follow);
    connect(train_, &QPushButton::clicked, this, &TrainPage::train);
    connect(stop_, &QPushButton::clicked, this, &TrainPage::stop);
    connect(open_, &QPushButton::clicked, this, [this] { Q_EMIT modelWanted(folders_.model); });
    connect(openSeries_, &QPushButton::clicked, this, [this] { Q_EMIT modelWanted(folders_.snapshots); });
    connect(copy_, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(trainCommand(form_->plan().configuration())); });
    connect(process_, &TrainingProcess::reported, this, &TrainPage::showReport);
    connect(process_, &TrainingProcess::refused, message_, &MessagePanel::showRefusal);
    connect(process_, &TrainingProcess::ended, this, &TrainPage::showEnd);
    follow();
}

/// The form has the width that it needs, up to half of the page.
void TrainPage::widenForm() {
    const int beside = 2 * widgets::space::s + style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int needed = std::min(form_->minimumSizeHint().width() + beside, columns_->width() / 2);
    if (columns_->widget(0)->width() < needed)
        columns_->setSizes({needed, columns_->width() - columns_->handleWidth() - needed});
}

void TrainPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(this, &TrainPage::widenForm, Qt::QueuedConnection);
}

void TrainPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        QMetaObject::invokeMethod(this, &TrainPage::widenForm, Qt::QueuedConnection);
}

QWidget* TrainPage::buildForm() {
    auto* inside = new QWidget(this);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, widgets::space::s, 0);
    column->addWidget(form_);
    column->addStretch(1);
    auto* area = new widgets::RoomyArea(inside, this);
    auto* left = new QWidget(this);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(train_);
    buttons->addWidget(stop_);
    buttons->addStretch(1);
    buttons->addWidget(copy_);
    missing_->setForegroundRole(QPalette::PlaceholderText);
    auto* all = new QVBoxLayout(left);
    all->setContentsMargins(widgets::space::s, widgets::space::s, 0, 0);
    all->addWidget(widgets::headlineLabel(tr("Train a model"), left));
    all->addWidget(area, 1);
    all->addWidget(missing_);
    all->addLayout(buttons);
    return left;
}

QWidget* TrainPage::buildProgress() {
    auto* right = new QWidget(this);
    bar_->setAccessibleName(tr("Progress"));
    bar_->setRange(0, 1);
    bar_->setValue(0);
    bar_->setTextVisible(false);
    for (QWidget* told : std::initializer_list<QWidget*>{bar_, validation_})
        told->hide(); // shown when the training starts
    step_->setFont(widgets::boldFont(font()));
    step_->setAccessibleName(tr("Training step"));
    status_->setAccessibleName(tr("Training status"));
    validation_->setAccessibleName(tr("Newest validation"));
    point_->setAccessibleName(tr("Point on a curve"));
    openSeries_->setToolTip(tr("Show the snapshots in the window, with a slider for the training step."));
    open_->setToolTip(tr("Show the model, as trained so far, in the window."));
    auto* head = new QHBoxLayout;
    head->addWidget(step_);
    head->addWidget(status_, 1);
    head->addWidget(openSeries_);
    head->addWidget(open_);
    auto* below = new QHBoxLayout;
    below->addWidget(validation_, 1);
    below->addWidget(point_);
    auto* parts = new QSplitter(Qt::Vertical, right);
    parts->setChildrenCollapsible(false);
    parts->addWidget(new widgets::RoomyArea(buildViews(), right));
    parts->addWidget(snapshots_);
    parts->setStretchFactor(1, 1);
    parts->setSizes({240, 480});
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(widgets::space::s, widgets::space::s, 0, 0);
    column->addLayout(head);
    column->addWidget(bar_);
    column->addLayout(below);
    column->addWidget(parts, 1);
    return right;
}

QWidget* TrainPage::buildViews() {
    auto* all = new QWidget(this);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    for (const auto& place : widgets::places()) {
        if (place.region != widgets::Place::Region::Training || !place.spec)
            continue;
        auto* view = views_.emplace_back(widgets::makerOf(place.key)(new widgets::Selection(this), all));
        view->setContext({.document = &shown_});
        connect(view, &widgets::View::cellDescribed, point_, &QLabel::setText);
        column->addWidget(view, 1);
    }
    return all;
}

void TrainPage::follow() {
    const bool runs = process_->isRunning();
    const QString missing = whyNot();
    form_->setEnabled(!runs);
    const bool complete = form_->whatIsMissing().isEmpty();
    train_->setText(!runs && complete && resumes(form_->plan()) ? tr("&Resume") : tr("T&rain"));
    train_->setEnabled(!runs && missing.isEmpty());
    train_->setToolTip(runs ? tr("A training is running.") : missing);
    missing_->setText(runs ? tr("Locked while training. Stop, edit, then resume.") : missing);
    stop_->setText(process_->isStopping() && runs ? tr("Stopping...") : tr("&Stop"));
    stop_->setEnabled(runs && !process_->isStopping());
    stop_->setToolTip(tr("The training is saved and can be resumed."));
    copy_->setEnabled(complete);
    copy_->setToolTip(complete ? QString() : missing);
    open_->setEnabled(folders_.hasModel());
    open_->setVisible(series_.isEmpty());
    openSeries_->setVisible(series_.isEmpty() && folders_.hasSeries());
    openSeries_->setText(
        tr("Open S&eries %1").arg(QFileInfo(folders_.snapshots).fileName().replace('&', "&&")));
}

/// Returns why training cannot start now; empty if it can.
QString TrainPage::whyNot() const {
    const QString missing = form_->whatIsMissing();
    return missing.isEmpty() ? whyAtEnd(form_->plan()) : missing;
}

void TrainPage::train() {
    if (process_->isRunning() || !whyNot().isEmpty())
        return;
    message_->hide();
    const TrainingPlan plan = form_->plan();
    newFiles_.clear();
    if (!plan.isConfigured()) {
        for (const QString& path : {plan.folder, plan.configuration()})
            if (!QFileInfo::exists(path))
                newFiles_ += path;
        if (const auto refusal = writeConfiguration(plan)) {
            message_->showRefusal(*refusal);
            return;
        }
    }
    folders_ = foldersOf(plan.configuration());
    hasTrained_ = true;
    series_.clear();
    shown_.training->name = QFileInfo(folders_.model).fileName().toStdString();
    showLogged(folders_.hasState() ? pointsOfLog(folders_.log()) : std::vector<trace::TrainingPoint>{});
    snapshots_->setFolders(folders_);
    bar_->setRange(0, 0); // busy indicator until the first step
    validation_->clear();
    step_->setText(tr("Starting..."));
    status_->clear();
    for (QWidget* told : std::initializer_list<QWidget*>{bar_, validation_})
        told->show();
    process_->start(plan.configuration());
    follow();
}

void TrainPage::stop() {
    process_->stop();
    follow();
}

void TrainPage::showReport(const TrainingReport& report) {
    const QLocale locale;
    if (!report.message.isEmpty()) {
        status_->setText(tr("%1.").arg(widgets::capitalised(report.message)));
        return;
    }
    bar_->setRange(0, report.steps);
    bar_->setValue(report.point.step);
    step_->setText(
        tr("Step %1 of %2").arg(locale.toString(report.point.step), locale.toString(report.steps)));
    status_->setText(tr("Epoch %1. %2 tokens per second. %3")
                         .arg(locale.toString(report.epoch), locale.toString(report.tokensPerSecond, 'f', 0),
                              report.secondsLeft ? tr("%1 left.").arg(duration(*report.secondsLeft))
                                                 : tr("Time left is not known yet.")));
    auto points = log().points;
    trace::addTrainingPoint(points, report.point);
    showPoints({}, std::move(points)); // the latest points are not in the log yet
    if (report.validated) {
        QString words =
            tr("Step %1: validation loss %2, accuracy %3 %")
                .arg(locale.toString(report.point.step), locale.toString(report.point.validationLoss, 'f', 3),
                     locale.toString(100 * report.point.accuracy, 'f', 1));
        if (std::isfinite(report.point.bleu))
            words += tr(", BLEU %1").arg(locale.toString(report.point.bleu, 'f', 1));
        words += ".";
        if (!report.source.isEmpty())
            words += tr(" %1 → %2").arg(report.source, report.output);
        validation_->setText(words);
    }
    snapshots_->proposeSentence(report.source);
    if (report.validated || report.point.settled)
        snapshots_->follow();
    if (report.validated || !report.source.isEmpty())
        follow(); // the model may exist now
}

/// Removes the files written for a training that was refused before it started.
void TrainPage::removeNewFiles() {
    while (!newFiles_.isEmpty())
        if (const QFileInfo made(newFiles_.takeLast()); made.isDir())
            QDir().rmdir(made.filePath()); // only if it is empty
        else
            QFile::remove(made.filePath());
}

/// Shows points of the log, which can also be drawn later by a command.
void TrainPage::showLogged(std::vector<trace::TrainingPoint> points) {
    const QString path = points.empty() ? QString() : folders_.log();
    showPoints(path, std::move(points));
}

void TrainPage::showPoints(const QString& path, std::vector<trace::TrainingPoint> points) {
    shown_.training->path = path.toStdString();
    shown_.training->points = std::move(points);
    std::ranges::for_each(views_, &widgets::View::refresh);
}

void TrainPage::showEnd(TrainingProcess::Outcome outcome) {
    using Outcome = TrainingProcess::Outcome;
    if (auto logged = pointsOfLog(folders_.log()); !logged.empty() && !log().points.empty())
        showLogged(std::move(logged));
    if (outcome == Outcome::Failed && !QFileInfo::exists(folders_.state))
        removeNewFiles();
    bar_->setRange(0, std::max(1, bar_->maximum()));
    bar_->setVisible(!log().points.empty());
    snapshots_->follow();
    status_->setText(outcome == Outcome::Done
                         ? tr("Trained and saved to %1. Add steps to continue.").arg(folders_.model)
                     : outcome == Outcome::Stopped ? tr("Stopped and saved. Resume continues from this step.")
                     : log().points.empty()        ? tr("Nothing was trained.")
                                                   : tr("The training ended early."));
    follow();
    if (outcome == Outcome::Done)
        open_->setFocus();
}

void TrainPage::followWindow(const Document* document, widgets::SnapshotBar* slider) {
    document_ = document;
    slider_ = slider;
    connect(document, &Document::modelChanged, this, [this] {
        hasTrained_ &= process_->isRunning();
        followSeries();
    });
    connect(document, &Document::stateChanged, this, &TrainPage::followSeries);
    connect(document->selection(), &widgets::Selection::headChanged, this, &TrainPage::followSeries);
    connect(slider, &widgets::SnapshotBar::snapshotChosen, this, &TrainPage::followSeries);
    connect(snapshots_, &TrainingSnapshots::headChosen, document->selection(), &widgets::Selection::setHead);
    connect(snapshots_, &TrainingSnapshots::stepChosen, this, &TrainPage::chooseSnapshot);
}

void TrainPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &TrainPage::widenForm, Qt::QueuedConnection);
    followSeries();
}

/// A hidden page reads nothing.
void TrainPage::followSeries() {
    if (!document_ || !isVisible())
        return;
    const auto& series = document_->opener()->series();
    const QString folder =
        series && !hasTrained_ ? QString::fromStdString(series->folder.string()) : QString();
    if (folder != series_)
        showSeries(folder);
    if (folder.isEmpty())
        return;
    const auto& run = document_->run();
    const auto* text = run ? std::get_if<std::string>(&run->request.source) : nullptr;
    snapshots_->setSeries({.folder = folder,
                           .sentence = text ? QString::fromStdString(*text) : snapshots_->sentence(),
                           .head = document_->selection()->head(),
                           .step = slider_->shownStep()});
}

/// Without a folder, the training that was started last, if any.
void TrainPage::showSeries(const QString& folder) {
    series_ = folder;
    const QLocale locale;
    status_->clear();
    validation_->hide();
    bar_->hide();
    if (folder.isEmpty()) {
        step_->setText(tr("Nothing is being trained"));
        shown_.training->name = QFileInfo(folders_.model).fileName().toStdString();
        showLogged(pointsOfLog(folders_.log()));
        snapshots_->setFolders(folders_);
        return follow();
    }
    const auto& snapshots = document_->opener()->series()->snapshots;
    shown_.training->name = QFileInfo(folder).fileName().toStdString();
    step_->setText(QString::fromStdString(shown_.training->name));
    status_->setText(tr("Snapshots: %1, from step %2 to %3")
                         .arg(locale.toString(qulonglong(snapshots.size())),
                              locale.toString(qlonglong(snapshots.front().step)),
                              locale.toString(qlonglong(snapshots.back().step))));
    QString log;
    try {
        log = QString::fromStdString(trainingLog(folder.toStdString()).string());
    } catch (const trace::Refusal&) {
        status_->setText(tr("%1. No log.").arg(status_->text()));
    }
    showPoints(log, pointsOfLog(log));
    follow();
}

void TrainPage::chooseSnapshot(std::int64_t step) {
    const auto& snapshots = document_->opener()->series()->snapshots;
    slider_->choose(std::ranges::find(snapshots, step, &Snapshot::step) - snapshots.begin());
}

void TrainPage::leaveComputing() {
    snapshots_->leaveComputing();
}

bool TrainPage::mayClose() {
    if (!process_->isRunning())
        return true;
    QMessageBox box(QMessageBox::Question, tr("Training in Progress"),
                    tr("%1 is being trained.").arg(QFileInfo(folders_.model).fileName()), QMessageBox::Cancel,
                    window());
    box.setInformativeText(tr("If you stop it, the training is saved and can be resumed. Otherwise it "
                              "continues without the window."));
    const auto* stop = box.addButton(tr("&Stop Training"), QMessageBox::DestructiveRole);
    const auto* letGo = box.addButton(tr("Continue in &Background"), QMessageBox::AcceptRole);
    box.exec();
    if (box.clickedButton() == stop)
        process_->stop();
    else if (box.clickedButton() != letGo)
        return false;
    process_->letGo();
    return true;
}

void TrainPage::dragEnterEvent(QDragEnterEvent* event) {
    const auto urls = event->mimeData()->urls();
    if (!process_->isRunning() && urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void TrainPage::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    form_->setFile(event->mimeData()->urls().front().toLocalFile());
}

} // namespace headscope::app
