#include "app/window/window_status.h"

#include "model/trace/run_path.h"
#include "widgets/controls/self_check_badge.h"
#include "widgets/drawing/spacing.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/model_words.h"

#include <QLabel>

#include <algorithm>
#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

WindowStatus::WindowStatus(Document* document, QWidget* parent)
    : StatusLine(parent), document_(document), badge_(new widgets::SelfCheckBadge(this)),
      device_(new QLabel(this)), local_(new QLabel(this)), working_(new QLabel(this)),
      cell_(new QLabel(this)) {
    setBackgroundRole(QPalette::AlternateBase);
    setAutoFillBackground(true);
    for (QLabel* label : {device_, local_, working_, cell_})
        label->setTextFormat(Qt::PlainText);
    cell_->setAccessibleName(tr("Cell"));
    cell_->setToolTip(tr("Value under the pointer or keyboard cursor. %1").arg(widgets::countingInWords()));
    cell_->setAccessibleDescription(widgets::countingInWords());
    local_->setText(tr("Everything runs on this computer; nothing is sent anywhere."));
    local_->setContentsMargins(widgets::space::s, 0, 0, 0);
    local_->hide();
    addWidget(local_);
    addWidget(badge_);
    addWidget(device_);
    addWidget(working_);
    addPermanentWidget(cell_);
    auto* queue = document->queue();
    addWork(
        {.isUnderWay = [document] { return document->isOpening(); },
         .words =
             [document] { return tr("Opening %1...").arg(document->opener()->path().section('/', -1)); }});
    addWork({.isUnderWay = [queue] { return queue->isBusy(JobKind::Main); },
             .words = [this] { return whatMain(); }});
    connect(queue, &WorkQueue::engineReady, this, [this](const QString& description) {
        device_->setText(tr("CPU"));
        device_->setToolTip(description);
        device_->setAccessibleDescription(description);
    });
    connect(queue, &WorkQueue::busyChanged, this, &WindowStatus::follow);
    connect(queue, &WorkQueue::progressed, this, [this](JobKind kind, double share) {
        if (kind != JobKind::Main)
            return;
        shareRead_ = share;
        follow();
    });
    connect(document, &Document::modelChanged, this, [this](const auto& model) {
        QStringList notes;
        for (const auto& note : model->notes)
            notes += QString::fromStdString(note);
        if (!notes.isEmpty())
            say(tr("Note: %1.").arg(notes.join(QStringLiteral("; "))));
    });
    connect(document->controller(), &DecodeController::runChanged, badge_, &widgets::SelfCheckBadge::setRun);
}

void WindowStatus::addWork(std::function<bool()> isUnderWay, const QString& words) {
    addWork({.isUnderWay = std::move(isUnderWay), .words = [words] { return words; }});
}

/// An empty message only clears the text that its own sender set.
void WindowStatus::sayCell(const QObject* by, const QString& words) {
    if (words.isEmpty() && by != speaker_)
        return;
    speaker_ = words.isEmpty() ? nullptr : by;
    cell_->setText(words);
    if (!words.isEmpty())
        cellWords_ = words;
}

void WindowStatus::follow() {
    if (!document_->queue()->isBusy(JobKind::Main))
        shareRead_ = 1;
    const auto busy = std::ranges::find_if(works_, [](const Work& work) { return work.isUnderWay(); });
    const bool isBusy = busy != works_.end();
    working_->setText(isBusy ? busy->words() : whatIsAmiss());
    Q_EMIT busyChanged(isBusy);
}

void WindowStatus::setHomeShown(bool isShown) {
    local_->setVisible(isShown);
}

QString WindowStatus::whatMain() const {
    const auto& model = document_->model();
    if (shareRead_ < 1)
        return tr("Encoding input: %1").arg(widgets::shareInWords(shareRead_));
    if (model && model->decoderLayers == 0)
        return model->classes > 0 ? tr("Classifying...") : tr("Encoding...");
    return tr("Decoding...");
}

QString WindowStatus::whatIsAmiss() const {
    QStringList words;
    const auto& run = document_->run();
    if (const QString unknown = run ? widgets::unknownInWords(*run) : QString(); !unknown.isEmpty())
        words += unknown + ' ' + tr("Use other words, or File > Split Text by a Pattern.");
    if (isCutOff())
        words +=
            tr("Stopped at the limit of %1 tokens (no end token).").arg(document_->controller()->steps());
    return words.join(' ');
}

bool WindowStatus::isCutOff() const {
    const auto& run = document_->run();
    return run && run->complete && run->request.padding.target == 0 &&
           document_->controller()->isFinished() && trace::isCutOff(*run);
}

} // namespace headscope::app
