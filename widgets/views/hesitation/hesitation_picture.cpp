#include "widgets/views/hesitation/hesitation_picture.h"

#include "widgets/drawing/theme.h"
#include "widgets/tables/table_column.h"
#include "widgets/words/hesitation_words.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

std::optional<double> HesitationPicture::value(MapCell mark) const {
    const auto& step = steps_[static_cast<std::size_t>(mark.column)];
    return mark.row == Probability ? step.probability : mark.row == Margin ? step.margin : step.entropy;
}

PlotFrame HesitationPicture::frameAlone(int row, const QRectF& area, const QFont& font) const {
    PlotAxis up{.title = rowName(row)};
    for (int step = 0; step < columns(); ++step) {
        const double here = value({row, step}).value_or(0);
        up.least = std::min(up.least, std::floor(here));
        up.most = std::max(up.most, std::ceil(here));
    }
    const PlotAxis across{.least = 0.5,
                          .most = columns() + 0.5,
                          .title = row == Entropy ? tr("step") : QString(),
                          .numbered = row == Entropy,
                          .whole = true};
    const double high = area.height() / rows();
    return {across, up, font, QRectF(area.left(), area.top() + row * high, area.width(), high)};
}

/// Aligns the steps of all plots, whatever the width of their axis numbers.
PlotFrame HesitationPicture::frame(int row, const QRectF& area, const QFont& font) const {
    double left = 0;
    for (int each = 0; each < rows(); ++each)
        left = std::max(left, frameAlone(each, area, font).plot().left());
    return frameAlone(row, area.adjusted(left - frameAlone(row, area, font).plot().left(), 0, 0, 0), font);
}

QRectF HesitationPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const auto shown = value(mark);
    if (!shown)
        return {};
    const auto axes = frame(mark.row, area, font);
    QRectF bar(QPointF(axes.x(mark.column + 0.6), axes.y(std::max(*shown, 0.0))),
               QPointF(axes.x(mark.column + 1.4), axes.y(std::min(*shown, 0.0))));
    bar.setTop(std::min(bar.top(), bar.bottom() - 1)); // a value close to 0 stays visible
    return bar;
}

void HesitationPicture::draw(QPainter& painter, const QRectF& area, const QFont& font,
                             const Theme& theme) const {
    painter.setFont(font);
    for (int row = 0; row < rows(); ++row) {
        const auto axes = frame(row, area, font);
        if (lit_)
            painter.fillRect(QRectF(QPointF(axes.x(*lit_ + 0.5), axes.plot().top()),
                                    QPointF(axes.x(*lit_ + 1.5), axes.plot().bottom())),
                             theme.panel);
        axes.draw(painter, theme);
        for (int step = 0; step < columns(); ++step)
            painter.fillRect(place({row, step}, area, font),
                             categoryColours(theme)[static_cast<std::size_t>(row)]);
    }
}

QString HesitationPicture::rowName(int row) const {
    return row == Probability ? tr("probability") : row == Margin ? tr("margin") : tr("entropy");
}

QString HesitationPicture::columnName(int column) const {
    return QStringLiteral("%1 %2")
        .arg(column + 1)
        .arg(quoted(tokenLabel(steps_[static_cast<std::size_t>(column)].chosen)));
}

QString HesitationPicture::inWords(MapCell mark) const {
    const auto& step = steps_[static_cast<std::size_t>(mark.column)];
    const auto shown = value(mark);
    if (!shown)
        return tr("Step %1: not known").arg(columnName(mark.column));
    const QString number = preciseText(*shown);
    if (mark.row == Entropy)
        return tr("Step %1: the next token has an entropy of %2 bits").arg(columnName(mark.column), number);
    const QString words = hesitationInWords(step);
    return step.isForced ? tr("Step %1: forced. %2").arg(columnName(mark.column), words)
                         : tr("Step %1: %2").arg(columnName(mark.column), words);
}

} // namespace headscope::widgets
