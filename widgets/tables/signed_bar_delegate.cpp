#include "widgets/tables/signed_bar_delegate.h"

#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"

#include <QPainter>

namespace headscope::widgets {

SignedBarDelegate::SignedBarDelegate(const Places& places, QObject* parent)
    : QStyledItemDelegate(parent), places_(places) {}

void SignedBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const bool under = index.column() == places_.number && barsUnderNumbers;
    if (index.column() != places_.bar && !under)
        return;
    const QRectF cell(option.rect);
    const QRectF room =
        under ? QRectF(cell.left() + 4, cell.bottom() - 5, cell.width() - 8, 5) : cell.adjusted(4, 3, -4, -3);
    const double value = index.data(places_.valueRole).toDouble();
    const double limit = index.data(places_.limitRole).toDouble();
    drawSignedBar(*painter, room, value, limit, themeOf(option.palette));
}

QSize SignedBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, barsUnderNumbers ? 6 : 2);
}

} // namespace headscope::widgets
