#include "widgets/controls/flow_layout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

FlowLayout::FlowLayout(QWidget* parent, Widths widths) : QLayout(parent), widths_(widths) {
    setContentsMargins(0, 0, 0, 0);
}

void FlowLayout::addItem(QLayoutItem* item) {
    items_.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[index].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (!itemAt(index))
        return nullptr;
    QLayoutItem* item = items_[index].release();
    items_.erase(items_.begin() + index);
    return item;
}

int FlowLayout::heightForWidth(int width) const {
    return layOut({0, 0, width, 0}, true);
}

QSize FlowLayout::sizeHint() const {
    QSize size(0, 0);
    for (const auto& item : items_)
        if (!item->isEmpty())
            size = {size.width() + (size.isEmpty() ? 0 : spacing()) + item->sizeHint().width(),
                    std::max(size.height(), item->sizeHint().height())};
    return size;
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto& item : items_)
        size = size.expandedTo(item->minimumSize());
    return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    layOut(rect, false);
}

int FlowLayout::layOutColumns(const QRect& rect, bool measureOnly) const {
    const int room = (rect.width() + spacing()) / std::max(1, minimumSize().width() + spacing());
    const int lines = (count() + std::max(1, room) - 1) / std::max(1, room);
    const int columns = lines > 0 ? (count() + lines - 1) / lines : 1;
    const int width = (rect.width() - (columns - 1) * spacing()) / columns;
    int y = rect.y();
    for (int first = 0; first < count(); first += columns) {
        int height = 0;
        const int last = std::min(first + columns, count());
        for (int i = first; i < last; ++i)
            height = std::max(height, items_[i]->hasHeightForWidth() ? items_[i]->heightForWidth(width)
                                                                     : items_[i]->sizeHint().height());
        for (int i = first; i < last && !measureOnly; ++i)
            items_[i]->setGeometry({rect.x() + (i - first) * (width + spacing()), y, width, height});
        y += height + spacing();
    }
    return std::max(0, y - spacing() - rect.y());
}

int FlowLayout::layOut(const QRect& rect, bool measureOnly) const {
    if (widths_ == Widths::Equal)
        return layOutColumns(rect, measureOnly);
    std::vector<std::pair<QLayoutItem*, QRect>> line;
    int x = rect.x();
    int y = rect.y();
    int lineHeight = 0;
    const auto endLine = [&] {
        const auto expands = [](const auto& part) {
            return part.first->expandingDirections().testFlag(Qt::Horizontal);
        };
        const int expanding = std::ranges::count_if(line, expands);
        const int more = expanding > 0 ? std::max(0, rect.right() + 1 + spacing() - x) / expanding : 0;
        int shift = 0;
        for (const auto& part : line) {
            const int wider = expands(part) ? more : 0;
            const QRect place = part.second.adjusted(shift, 0, shift + wider, 0);
            shift += wider;
            if (!measureOnly) // vertically centred in its line
                part.first->setGeometry(
                    QStyle::visualRect(parentWidget()->layoutDirection(), rect,
                                       place.translated(0, y + (lineHeight - place.height()) / 2)));
        }
        line.clear();
    };
    for (const auto& item : items_) {
        if (item->isEmpty())
            continue;
        const QSize size(std::min(item->sizeHint().width(), rect.width()), item->sizeHint().height());
        if (x > rect.x() && x + size.width() > rect.x() + rect.width()) {
            endLine();
            x = rect.x();
            y += lineHeight + spacing();
            lineHeight = 0;
        }
        line.emplace_back(item.get(), QRect({x, 0}, size));
        x += size.width() + spacing();
        lineHeight = std::max(lineHeight, size.height());
    }
    endLine();
    return y + lineHeight - rect.y();
}

} // namespace headscope::widgets
