#pragma once

#include <QStyledItemDelegate>

#include "widgets/drawing/token_label.h"

Q_DECLARE_METATYPE(headscope::widgets::TokenLabel)

namespace headscope::widgets {

/// Draws the cells of a table that carry a TokenLabel as tokens are drawn everywhere, with a faint space
/// mark; all others as Qt does.
class TokenDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    static constexpr int labelRole = Qt::UserRole + 16;

    using QStyledItemDelegate::QStyledItemDelegate;
    bool spaceMarks = true;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace headscope::widgets
