// The candidates on a page.
#include "widgets/drawing/theme.h"
#include "widgets/views/candidates/candidates_figure.h"
#include "widgets/views/candidates/candidates_view.h"
#include "widgets/words/captions.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>

namespace headscope::widgets {

bool CandidatesView::hasFigure() const {
    return model_->rowCount() > 0;
}

QString CandidatesView::caption() const {
    const QString certainty = certainty_->text().isEmpty() ? QString() : QChar(' ') + certainty_->text();
    if (hasClasses())
        return tr("The model's %1 classes with the probability that it gives the sentence to be in each. The "
                  "dot marks the most probable.")
                   .arg(model_->rowCount()) +
               certainty;
    return tr("The %1 most probable next tokens at step %2 of %3, with their probabilities among all tokens "
              "of the vocabulary, and the log-probability of the target so far with each (nats). The dot "
              "marks the one that was chosen.")
               .arg(model_->rowCount())
               .arg(selection_->step() + 1)
               .arg(run_->target.size()) +
           certainty;
}

void CandidatesView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measureShown();
}

CandidatesFigure CandidatesView::figure() const {
    return {.model = *model_,
            .heading = heading(),
            .caption = asCaption(caption()),
            .font = font(),
            .spaceMarks = spaceMarks_,
            .least = widths_};
}

void CandidatesView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (hasFigure())
        figure().draw(painter, QRectF(QPointF(), QSizeF(size)), theme);
}

FigureText CandidatesView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = hasClasses() ? tr("Classes") : tr("Next token at step %1").arg(selection_->step() + 1),
            .caption = caption(),
            .provenance = provenance(*run_),
            .quantity = tr("probability")};
}

QSize CandidatesView::figureSize() const {
    return hasFigure() ? figure().size() : FigureSource::figureSize();
}

QSize CandidatesView::narrowFigure(int width) const {
    return hasFigure() ? figure().size(width) : figureSize();
}

} // namespace headscope::widgets
