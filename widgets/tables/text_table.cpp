#include "widgets/tables/text_table.h"

#include "widgets/drawing/theme.h"
#include "widgets/tables/head_table_figure.h"
#include "widgets/tables/token_delegate.h"

#include <QPainter>
#include <QStandardItemModel>

namespace headscope::widgets {

namespace {

void fillModel(QStandardItemModel& model, const std::vector<TextColumn>& columns) {
    for (int column = 0; column < static_cast<int>(columns.size()); ++column) {
        const auto& each = columns[static_cast<std::size_t>(column)];
        for (int row = 0; row < each.texts.size(); ++row)
            model.setItem(row, column, new QStandardItem(each.texts[row]));
        for (int row = 0; row < static_cast<int>(each.tokens.size()); ++row) {
            const TokenLabel& token = each.tokens[static_cast<std::size_t>(row)];
            auto* item = new QStandardItem(token.full());
            item->setData(QVariant::fromValue(token), TokenDelegate::labelRole);
            model.setItem(row, column, item);
        }
        const auto side = each.numbers ? Qt::AlignRight : Qt::AlignLeft;
        model.setHeaderData(column, Qt::Horizontal, each.title);
        model.setHeaderData(column, Qt::Horizontal, static_cast<int>(side | Qt::AlignVCenter),
                            Qt::TextAlignmentRole);
    }
}

} // namespace

HeadTableFigure TextTableFigure::onPage(const QAbstractItemModel& table) const {
    return {.table = table, .caption = caption, .font = font, .spaceMarks = spaceMarks, .parts = parts};
}

QSize TextTableFigure::size() const {
    QStandardItemModel model;
    fillModel(model, columns);
    return onPage(model).size();
}

void TextTableFigure::draw(QPainter& painter, QSize size, const Theme& theme) const {
    QStandardItemModel model;
    fillModel(model, columns);
    painter.fillRect(QRect(QPoint(), size), theme.background);
    onPage(model).draw(painter, QRectF(QPointF(), QSizeF(size)), theme);
}

} // namespace headscope::widgets
