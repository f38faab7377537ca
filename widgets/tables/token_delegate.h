#pragma once

#include <QStyledItemDelegate>

#include "widgets/drawing/token_label.h"

Q_DECLARE_METATYPE(headscope::widgets::TokenLabel)

namespace headscope::widgets {

/// Draws table cells with a TokenLabel like tokens of other views, with faint space marks, and other cells
/// like Qt.
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
