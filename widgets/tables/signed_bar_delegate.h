#pragma once

#include <QStyledItemDelegate>

namespace headscope::widgets {

/// Draws signed bars in a list: in a column of their own, or where there is no room for it, under the number.
class SignedBarDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    /// Where the model has what.
    struct Places {
        int bar = 0;       ///< column
        int number = 0;    ///< column
        int valueRole = 0; ///< double
        int limitRole = 0; ///< double, what a full bar stands for
    };

    SignedBarDelegate(const Places& places, QObject* parent);
    bool barsUnderNumbers = false;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    Places places_;
};

} // namespace headscope::widgets
