// The architecture on a page: the diagram with its marked block, or the table, and what is said below.
#include "widgets/drawing/theme.h"
#include "widgets/views/architecture/architecture_diagram.h"
#include "widgets/views/architecture/architecture_table.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/architecture/architecture_words.h"
#include "widgets/words/captions.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTreeView>

#include <algorithm>

namespace headscope::widgets {

/// A page has room for all of it.
QString ArchitectureView::figureCaption(const FigureParts& parts) const {
    QStringList words;
    if (parts.caption)
        words += caption();
    if (parts.notes && !isTableShown() && !diagram_->zoom().empty())
        words += tr("All of the diagram, not only the part that was looked at.");
    return words.join(QChar(' '));
}

/// Of the block that is marked, as they stand below it.
QString ArchitectureView::blockWords() const {
    const auto* block = isTableShown() ? nullptr : diagram_->current();
    return block ? blockInWords(facts_, *block).join(QChar('\n')) : QString();
}

QString ArchitectureView::wordsBelow(const FigureParts& parts) const {
    QStringList words{figureCaption(parts)};
    if (parts.caption && parts.marks)
        words += blockWords();
    if (parts.caption)
        words += memoryInWords(facts_);
    words.removeAll(QString());
    return words.join(QChar('\n'));
}

double ArchitectureView::figureWords(double width) const {
    const QString words = wordsBelow(figureParts());
    const QRectF room(0, 0, width, 1e6);
    return words.isEmpty() ? 0
                           : QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, words).height() + 24;
}

bool ArchitectureView::isTableShown() const {
    return stack_->currentWidget() == tree_ && table_->rowCount() > 0;
}

QSize ArchitectureView::figureSize() const {
    if (!facts_.model)
        return FigureSource::figureSize();
    if (isTableShown())
        return tableFigure(*tree_, wordsBelow(figureParts()), figureParts(), font()).size();
    const QSizeF size = diagram_->wholeLayout().size.expandedTo({480, 160});
    return QSizeF(size.width(), size.height() + figureWords(size.width() - 24)).toSize();
}

void ArchitectureView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (!facts_.model)
        return;
    if (isTableShown())
        return tableFigure(*tree_, wordsBelow(figureParts()), figureParts(), font())
            .draw(painter, size, theme);
    const auto layout = diagram_->wholeLayout();
    const double words = figureWords(size.width() - 24.0);
    const double scale =
        std::min({1.0, size.width() / layout.size.width(), (size.height() - words) / layout.size.height()});
    painter.setFont(font());
    painter.save();
    painter.translate((size.width() - layout.size.width() * scale) / 2, 0);
    painter.scale(scale, scale);
    const auto* current = figureParts().marks ? diagram_->current() : nullptr;
    const auto marked = current ? layout.boxOf(current->role) : std::nullopt;
    drawArchitecture(painter, layout, facts_, {.current = marked, .spaceMarks = spaceMarks_}, theme);
    painter.restore();
    painter.setPen(theme.text);
    painter.drawText(QRectF(QPointF(), size).adjusted(12, 12, -12, -12), Qt::AlignBottom | Qt::TextWordWrap,
                     wordsBelow(figureParts()));
}

FigureText ArchitectureView::figureText() const {
    return {.title = tr("Architecture"),
            .caption = wordsBelow({}).replace(QChar('\n'), QChar(' ')),
            .provenance = facts_.run     ? provenance(*facts_.run)
                          : facts_.model ? QString::fromStdString(facts_.model->name)
                                         : QString()};
}

} // namespace headscope::widgets
