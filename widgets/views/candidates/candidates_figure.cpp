#include "widgets/views/candidates/candidates_figure.h"

#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/views/candidates/candidates_view.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double candidatesFigureMargin = 16;
constexpr double candidatesGap = 11; ///< between columns
constexpr double candidatesFigureLeastBar = 40;

} // namespace

QString CandidatesFigure::shownAt(int row, int column) const {
    return model.index(row, column).data(Qt::DisplayRole).toString();
}

double CandidatesFigure::rowHeight() const {
    return std::ceil(QFontMetricsF(font).height()) + 8;
}

double CandidatesFigure::wordsHeight(double wide, const QString& words) const {
    const QRectF room(0, 0, wide, 1000);
    return std::ceil(QFontMetricsF(font).boundingRect(room, Qt::TextWordWrap, words).height());
}

double CandidatesFigure::captionHeight(double wide) const {
    return caption.isEmpty() ? 0 : wordsHeight(wide, caption) + 8;
}

double CandidatesFigure::headingHeight(double wide) const {
    return std::max(rowHeight(), wordsHeight(wide, heading) + 8);
}

QSize CandidatesFigure::size(int wide) const {
    // A piece may have half of what rank and probability leave.
    const Columns at = columns(QRectF(0, 0, usualWidth - 2 * candidatesFigureMargin, 1));
    const double beside = usualWidth - at.bar.width() + std::max(candidatesFigureLeastBar, at.piece.width());
    const double width = std::min<double>(usualWidth, std::max<double>(wide, beside));
    const double inside = width - 2 * candidatesFigureMargin;
    const double rows = (model.rowCount() + 1) * rowHeight(); // with the columns' names
    return QSizeF(width, headingHeight(inside) + rows + captionHeight(inside) + 2 * candidatesFigureMargin)
        .toSize();
}

CandidatesFigure::Widths CandidatesFigure::widths() const {
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks};
    Widths needed;
    for (const auto& candidate : model.candidates())
        needed.piece = std::max(needed.piece, style.width(tokenLabel(candidate.token)));
    for (int index = 0; !model.areClasses() && index < model.rowCount(); ++index)
        needed.sum =
            std::max(needed.sum, QFontMetricsF(font).horizontalAdvance(shownAt(index, CandidatesModel::Sum)));
    return needed;
}

CandidatesFigure::Columns CandidatesFigure::columns(const QRectF& row) const {
    const QFontMetricsF metrics(font);
    const auto named = [&](int column) {
        return metrics.horizontalAdvance(
            model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    };
    const double rank =
        std::max(named(CandidatesModel::Rank), metrics.horizontalAdvance(QStringLiteral("\u25CF 10")));
    const double probability = named(CandidatesModel::Probability);
    const auto [pieces, sums] = widths();
    const double sum = model.areClasses() ? 0 : std::max({named(CandidatesModel::Sum), sums, least.sum});
    const double sumAndGap = sum > 0 ? sum + candidatesGap : 0;
    double piece = std::max({named(CandidatesModel::Piece), pieces, least.piece});
    piece = std::min(piece, std::max(0.0, (row.width() - rank - probability - sumAndGap) / 2));
    Columns columns;
    columns.rank = QRectF(row.left() + 6, row.top(), rank, row.height());
    columns.piece = QRectF(columns.rank.right() + candidatesGap, row.top(), piece, row.height());
    columns.probability = QRectF(columns.piece.right() + candidatesGap, row.top(), probability, row.height());
    columns.sum = QRectF(columns.probability.right() + sumAndGap - sum, row.top(), sum, row.height());
    columns.bar = QRectF(QPointF(columns.sum.right() + candidatesGap, row.top()),
                         QPointF(row.right() - 6, row.bottom()));
    return columns;
}

void CandidatesFigure::drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const {
    const Columns at = columns(row);
    const auto name = [&](const QRectF& area, int column, Qt::Alignment side) {
        painter.drawText(area, side | Qt::AlignVCenter | Qt::TextDontClip,
                         model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    };
    painter.setPen(theme.faintText);
    name(at.rank, CandidatesModel::Rank, Qt::AlignRight);
    name(at.piece, CandidatesModel::Piece, Qt::AlignLeft);
    name(at.probability, CandidatesModel::Probability, Qt::AlignRight);
    if (!model.areClasses())
        name(at.sum, CandidatesModel::Sum, Qt::AlignRight);
    painter.fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), theme.line);
}

void CandidatesFigure::drawRow(QPainter& painter, const QRectF& row, int index, const Theme& theme) const {
    const Columns at = columns(row);
    if (model.index(index, 0).data(CandidatesModel::ChosenRole).toBool())
        painter.fillRect(row, theme.panel);
    painter.setPen(theme.text);
    painter.drawText(at.rank, Qt::AlignRight | Qt::AlignVCenter, shownAt(index, CandidatesModel::Rank));
    painter.drawText(at.probability, Qt::AlignRight | Qt::AlignVCenter,
                     shownAt(index, CandidatesModel::Probability));
    if (!model.areClasses())
        painter.drawText(at.sum, Qt::AlignRight | Qt::AlignVCenter, shownAt(index, CandidatesModel::Sum));
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks};
    const trace::Candidate& candidate = model.candidates()[static_cast<std::size_t>(index)];
    style.draw(painter, at.piece, Qt::AlignLeft, tokenLabel(candidate.token), TokenInk::onBackground(theme));
    const double probability = model.index(index, 0).data(CandidatesModel::ProbabilityRole).toDouble();
    const double height = std::round(row.height() / 2.5);
    painter.fillRect(QRectF(at.bar.left(), row.center().y() - height / 2,
                            std::max(1.0, std::max(0.0, at.bar.width()) * probability), height),
                     theme.accent);
}

void CandidatesFigure::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const QRectF inside = area.adjusted(candidatesFigureMargin, candidatesFigureMargin,
                                        -candidatesFigureMargin, -candidatesFigureMargin);
    const double words = captionHeight(inside.width());
    const double above = headingHeight(inside.width());
    const double room = inside.height() - words;
    const double height = std::min(rowHeight(), (room - above) / (model.rowCount() + 1));
    const auto row = [&](int index) {
        return QRectF(inside.left(), inside.top() + above + index * height, inside.width(), height);
    };
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(QRectF(inside.left(), inside.top(), inside.width(), above),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, heading);
    drawHeader(painter, row(0), theme);
    for (int index = 0; index < model.rowCount(); ++index)
        drawRow(painter, row(index + 1), index, theme);
    painter.setPen(theme.text);
    painter.drawText(QRectF(inside.left(), row(model.rowCount() + 1).top() + 8, inside.width(), words),
                     Qt::AlignLeft | Qt::TextWordWrap, caption);
}

} // namespace headscope::widgets
