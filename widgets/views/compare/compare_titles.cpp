#include "widgets/views/compare/compare_titles.h"

#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/map/linked_maps.h"
#include "widgets/words/plain_text.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <utility>

namespace headscope::widgets {

namespace {

constexpr double nameGap = 8;
constexpr int textLines = 2;

QFont nameFont(const QFont& font) {
    return fontOf(TextRole::Title, font);
}

QString inWords(const CompareTitles::Title& title) {
    QStringList parts;
    for (const QString& part : {title.name, title.result, joinedWords(title.words), title.note, title.place})
        if (!part.isEmpty())
            parts += part;
    return parts.join(QStringLiteral(", "));
}

} // namespace

CompareTitles::CompareTitles(const LinkedMaps* maps, QWidget* parent) : QWidget(parent), maps_(maps) {
    setLayoutDirection(Qt::LeftToRight); // as numbers and steps run
    setAccessibleName(tr("Titles of the maps"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(maps, &LinkedMaps::placed, this, [this] { update(); });
}

void CompareTitles::setTitles(std::array<Title, 3> titles) {
    titles_ = std::move(titles);
    QStringList read;
    for (const Title& title : titles_)
        if (!title.name.isEmpty())
            read += inWords(title);
    describeForReaders(this, read.join(QStringLiteral(". ")));
    update();
}

QSize CompareTitles::sizeHint() const {
    const int height = textLines * outlinedLine(font()) + 2;
    return {400, height};
}

/// As wide as the plot below it; the difference has room for its colour bar, too.
QRectF CompareTitles::area(std::size_t title) const {
    if (title >= maps_->maps().size() || maps_->maps()[title].values.empty())
        return {};
    const QRectF plot = maps_->plot(title);
    return {plot.left(), 0, plot.width(), static_cast<double>(height())};
}

bool CompareTitles::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < titles_.size(); ++i)
        if (area(i).contains(help->pos()))
            QToolTip::showText(help->globalPos(), plainToolTip(inWords(titles_[i])), this);
    return true;
}

void CompareTitles::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < titles_.size(); ++i) {
        const Title& title = titles_[i];
        QRectF rest = area(i);
        if (rest.isEmpty() || title.name.isEmpty())
            continue;
        const auto write = [&](const QString& text, const QFont& font, const QColor& ink,
                               Qt::Alignment side) {
            painter.setFont(font);
            painter.setPen(ink);
            const QFontMetricsF metrics(font);
            painter.drawText(rest, side | Qt::AlignVCenter,
                             metrics.elidedText(text, Qt::ElideRight, rest.width()));
            const double taken = metrics.horizontalAdvance(text) + nameGap;
            side& Qt::AlignRight ? rest.setRight(rest.right() - taken) : rest.setLeft(rest.left() + taken);
        };
        write(title.name, nameFont(font()), theme.text, Qt::AlignLeft);
        if (!title.result.isEmpty())
            write(title.result, boldFont(font()), theme.text, Qt::AlignLeft);
        if (!title.place.isEmpty())
            write(title.place, smallFont(font()), theme.faintText, Qt::AlignRight);
        if (!title.note.isEmpty() && rest.width() > 0)
            write(title.note, smallFont(font()), theme.faintText, Qt::AlignLeft);
        if (!title.words.empty() && rest.width() > 0)
            drawOutlinedWords(painter, rest.adjusted(4, 1, 0, -1), title.words, font(), theme.text, theme);
    }
}

} // namespace headscope::widgets
