#include "widgets/map/named_labels.h"

#include "widgets/drawing/theme.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QtMath>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct NamedLabelsWords {
    Q_DECLARE_TR_FUNCTIONS(NamedLabels)
};

/// Returns n if every n-th visible label is named.
int strideOf(const std::vector<int>& labelled, double inSight) {
    if (labelled.size() > 1)
        return labelled[1] - labelled[0];
    return inSight >= 2 ? std::lround(inSight) : 1;
}

} // namespace

bool areAllNamed(const MapLayout& layout) {
    const auto isNamed = [](const std::vector<int>& labelled, double inSight) {
        return inSight > mostNamed || strideOf(labelled, inSight) == 1;
    };
    return layout.empty() || (isNamed(layout.labelledRows(), layout.window().height()) &&
                              isNamed(layout.labelledColumns(), layout.window().width()));
}

QString namedInWords(const MapLayout& layout, bool hasRowLabels) {
    if (layout.empty())
        return {};
    const int rows = hasRowLabels ? strideOf(layout.labelledRows(), layout.window().height()) : 1;
    const int columns = strideOf(layout.labelledColumns(), layout.window().width());
    QString words;
    if (rows > 1)
        words += QChar(' ') + NamedLabelsWords::tr("One row in %1 is labelled.").arg(rows);
    if (columns > 1)
        words += QChar(' ') + NamedLabelsWords::tr("One column in %1 is labelled.").arg(columns);
    return words;
}

double LabelsBelow::widest() const {
    double widest = 0;
    for (const auto& label : labels)
        widest = std::max(widest, TokenLabelStyle{.font = font, .spaceMarks = spaceMarks}.width(label));
    return widest;
}

double LabelsBelow::height() const {
    return upright ? widest() : QFontMetricsF(font).height();
}

int LabelsBelow::stride() const {
    return upright && pitch > 0 ? std::max(1, qCeil(QFontMetricsF(font).height() / pitch)) : 1;
}

QString LabelsBelow::inWords() const {
    return stride() > 1 ? QChar(' ') + NamedLabelsWords::tr("One step in %1 is labelled.").arg(stride())
                        : QString();
}

void LabelsBelow::draw(QPainter& painter, QPointF corner, const Theme& theme) const {
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks};
    const TokenInk ink = TokenInk::onBackground(theme);
    const double line = QFontMetricsF(font).height(), longest = widest();
    const std::size_t shown = std::min(labels.size(), decoded.value_or(labels.size()));
    for (std::size_t i = 0; i < shown; i += stride()) {
        const double left = corner.x() + pitch * static_cast<double>(i);
        if (!upright) {
            style.draw(painter, QRectF(left, corner.y(), pitch, line), Qt::AlignHCenter, labels[i], ink);
            continue;
        }
        painter.save();
        painter.translate(left + pitch / 2, corner.y());
        painter.rotate(-90);
        style.draw(painter, QRectF(-longest, -line / 2, longest, line), Qt::AlignRight | Qt::AlignVCenter,
                   labels[i], ink);
        painter.restore();
    }
}

} // namespace headscope::widgets
