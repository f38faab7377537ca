#include "widgets/controls/self_check_badge.h"

#include "widgets/drawing/theme.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using trace::CheckState;
using trace::Finding;

QString sign(CheckState state) {
    switch (state) {
    case CheckState::Ok:
        return QStringLiteral("\u2713");
    case CheckState::Failed:
        return QStringLiteral("\u2717");
    case CheckState::Recorded:
    case CheckState::NotChecked:
    case CheckState::NotApplicable:
        break;
    }
    return QStringLiteral("\u2013");
}

QString figure(double value) {
    return !std::isfinite(value) ? SelfCheckBadge::tr("not a number") : QString::number(value, 'g', 2);
}

QString detail(const QString& what, const Finding& finding) {
    if (finding.state == CheckState::NotChecked)
        return SelfCheckBadge::tr("%1 %2: not checked").arg(sign(finding.state), what);
    if (finding.state == CheckState::NotApplicable)
        return SelfCheckBadge::tr("%1 %2: not applicable").arg(sign(finding.state), what);
    if (finding.state == CheckState::Recorded)
        return SelfCheckBadge::tr("%1 %2: recorded, not repeated").arg(sign(finding.state), what);
    return SelfCheckBadge::tr("%1 %2: largest deviation %3, limit %4")
        .arg(sign(finding.state), what, figure(finding.largest), figure(finding.limit));
}

/// Returns the number of leading decoder rows without an allowed key. Only a start token that is padding has
/// none.
std::size_t rowsWithoutKey(const trace::Run& run) {
    if (run.decoder.empty())
        return 0;
    const auto& record = run.decoder.front();
    std::size_t rows = 0;
    while (rows < record.queries() &&
           std::ranges::none_of(record.allowedKeys(rows), [](auto cell) { return cell != 0; }))
        ++rows;
    return rows;
}

} // namespace

SelfCheckBadge::SelfCheckBadge(QWidget* parent) : QToolButton(parent) {
    setAutoRaise(true);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    connect(this, &QToolButton::clicked, this, &SelfCheckBadge::showDetails);
    refresh();
}

void SelfCheckBadge::setRun(std::shared_ptr<const trace::Run> run) {
    check_ = run ? std::optional(run->selfCheck) : std::nullopt;
    isTrace_ = run && run->model && run->model->recorded;
    rowsWithoutKey_ = run ? rowsWithoutKey(*run) : 0;
    refresh();
}

QString SelfCheckBadge::details() const {
    if (!check_)
        return tr("Nothing is decoded yet, so nothing is checked.");
    QStringList lines{
        detail(tr("each row with an allowed key sums to 1"), check_->rowsSumToOne),
        detail(tr("masked cells are 0"), check_->maskedCellsAreZero),
        detail(tr("weights are the softmax of their scores"), check_->weightsAreSoftmax),
        detail(tr("log-probabilities form a distribution"), check_->logProbabilities),
        detail(tr("rows computed step by step equal one full pass"), check_->cachedEqualsFullPass)};
    if (rowsWithoutKey_ > 0)
        lines += tr("Target rows without an allowed key: %n. This model masks the target's padding, and its "
                    "start token is padding. Such a row has uniform weights over the fed keys and is not "
                    "checked. No other row attends to it.",
                    nullptr, rowsWithoutKey_);
    if (!check_->kernels.empty())
        lines += tr("Kernels: %1").arg(QString::fromStdString(check_->kernels));
    if (isTrace_)
        lines += tr("This is a trace: its numbers are checked when it is opened, unless the file is larger "
                    "than 1 GiB. The last check can only be repeated with the model.");
    return lines.join('\n');
}

/// The text if no check failed.
QString SelfCheckBadge::findings() const {
    const bool rows = check_ && check_->rowsSumToOne.state == CheckState::Ok &&
                      check_->maskedCellsAreZero.state == CheckState::Ok;
    const bool whole = check_ && check_->state() == CheckState::Ok;
    if (isTrace_) {
        if (check_->rowsSumToOne.state == CheckState::Recorded)
            return tr("trace: self-check recorded, not repeated");
        return !rows ? tr("trace: not checked")
               : check_->cachedEqualsFullPass.state == CheckState::Recorded
                   ? tr("trace: numbers verified; full pass as recorded")
               : whole ? tr("trace: numbers verified")
                       : tr("trace: numbers verified; full pass not checked");
    }
    return whole ? tr("Numbers verified") : tr("self-check: not checked");
}

void SelfCheckBadge::refresh() {
    const CheckState state = check_ ? check_->state() : CheckState::NotChecked;
    QString words = findings();
    if (state == CheckState::Failed) {
        words = (isTrace_ ? tr("trace, self-check failed: %1") : tr("self-check failed: %1"))
                    .arg(failuresInWords(*check_).join(QStringLiteral("; ")));
    }
    words_ = sign(state) + QChar(' ') + words;
    elide();
    updateGeometry();
    setAccessibleName(words);
    setAccessibleDescription(details());
    setToolTip(plainToolTip(words_ + QChar('\n') + details()));
    const Theme& theme = themeOf(palette());
    QPalette colours = palette();
    colours.setColor(QPalette::ButtonText, state == CheckState::Ok       ? theme.good
                                           : state == CheckState::Failed ? theme.bad
                                                                         : theme.faintText);
    if (colours != palette())
        setPalette(colours);
}

void SelfCheckBadge::elide() {
    setText(fontMetrics().elidedText(words_, Qt::ElideRight, width() - 16));
}

QSize SelfCheckBadge::sizeHint() const {
    return {fontMetrics().horizontalAdvance(words_) + 20,
            std::max(fontMetrics().height() + 8, space::target)};
}

QSize SelfCheckBadge::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 12, std::max(fontMetrics().height() + 8, space::target)};
}

void SelfCheckBadge::resizeEvent(QResizeEvent* event) {
    QToolButton::resizeEvent(event);
    elide();
}

void SelfCheckBadge::changeEvent(QEvent* event) {
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void SelfCheckBadge::showDetails() {
    auto* popup = new QFrame(this, Qt::Popup);
    popup->setAttribute(Qt::WA_DeleteOnClose);
    popup->setFrameShape(QFrame::StyledPanel);
    popup->setObjectName(QStringLiteral("selfCheckDetails"));
    auto* label = new QLabel(details(), popup);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* layout = new QVBoxLayout(popup);
    layout->addWidget(label);
    popup->adjustSize();
    popup->move(mapToGlobal(QPoint(0, -popup->height())));
    popup->show();
    label->setFocus();
}

} // namespace headscope::widgets
