#pragma once

#include <QStyledItemDelegate>

namespace headscope::widgets {

/// Draws signed bars in a list: in a separate column, or under the number if that column is hidden.
class SignedBarDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    /// Columns and roles of the model.
    struct Places {
        int bar = 0;       ///< column
        int number = 0;    ///< column
        int valueRole = 0; ///< double
        int limitRole = 0; ///< double, the number of a full bar
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
