#include "widgets/tables/token_delegate.h"

#include "widgets/drawing/theme.h"

#include <QPainter>
#include <QStyle>
#include <QWidget>

namespace headscope::widgets {

void TokenDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    const QVariant label = index.data(labelRole);
    if (!label.isValid())
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem empty = option;
    initStyleOption(&empty, index);
    empty.text.clear();
    empty.widget->style()->drawControl(QStyle::CE_ItemViewItem, &empty, painter, empty.widget);
    const Theme& theme = themeOf(option.palette);
    const TokenInk ink = option.state & QStyle::State_Selected ? TokenInk::on(theme.accentSoft, theme.text)
                                                               : TokenInk::onBackground(theme);
    const TokenLabelStyle style{.font = empty.font, .spaceMarks = spaceMarks};
    style.draw(*painter, QRectF(option.rect).adjusted(4, 0, -4, 0),
               empty.displayAlignment & Qt::AlignHorizontal_Mask, label.value<TokenLabel>(), ink);
}

} // namespace headscope::widgets
