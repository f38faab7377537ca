#include "app/window/home/recent_row.h"

#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"

#include <QFileInfo>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace headscope::app {

namespace {

constexpr int rowIcon = widgets::space::l; ///< side of the icon
constexpr int rowGap = widgets::space::m;

QString kindInWords(RecentRow::Kind kind) {
    return kind == RecentRow::Kind::Session     ? RecentRow::tr("Session")
           : kind == RecentRow::Kind::Recording ? RecentRow::tr("Recording")
                                                : RecentRow::tr("Model");
}

} // namespace

RecentRow::RecentRow(const QString& path, Kind kind, const OpenedFile& opened, QWidget* parent)
    : QPushButton(parent), icon_(widgets::icon(kind == Kind::Session     ? "save"
                                               : kind == Kind::Recording ? "data"
                                                                         : "model")),
      name_(QFileInfo(path).fileName()), about_(kindInWords(kind)),
      day_(dayInWords(opened.when, QDate::currentDate())) {
    if (!opened.about.isEmpty())
        about_ = tr("%1: %2", "Model: Marian, 6 + 6 layers").arg(about_, opened.about);
    if (!QFileInfo::exists(path)) {
        about_ = tr("%1 (missing)").arg(about_);
        setEnabled(false);
    }
    setObjectName(path);
    setAccessibleName(name_);
    QStringList words{about_, day_, path};
    words.removeAll(QString());
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    setToolTip(path);
    setAutoDefault(true); // Enter opens it
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QString RecentRow::dayInWords(const QDateTime& when, const QDate& today) {
    if (!when.isValid())
        return {};
    const auto days = when.date().daysTo(today);
    if (days == 0)
        return tr("today");
    if (days == 1)
        return tr("yesterday");
    const QLocale locale;
    return days > 1 && days < 7 ? locale.dayName(when.date().dayOfWeek())
                                : locale.toString(when.date(), QLocale::ShortFormat);
}

QSize RecentRow::sizeHint() const {
    return minimumSizeHint();
}

QSize RecentRow::minimumSizeHint() const {
    constexpr int characters = 30;
    return {characters * fontMetrics().averageCharWidth(), fontMetrics().height() + rowGap};
}

void RecentRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto& theme = widgets::themeOf(palette());
    if (hasFocus() || underMouse()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(theme.accent);
        painter.setBrush(theme.panel);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), widgets::space::controlRadius,
                                widgets::space::controlRadius);
    } else {
        painter.setPen(theme.line);
        painter.drawLine(rect().bottomLeft(), rect().bottomRight());
    }
    const auto placed = [this](const QRect& part) {
        return QStyle::visualRect(layoutDirection(), rect(), part);
    };
    const auto before = QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft) | Qt::AlignVCenter;
    const auto after = QStyle::visualAlignment(layoutDirection(), Qt::AlignRight) | Qt::AlignVCenter;
    icon_.paint(&painter, placed(QRect(rowGap / 2, (height() - rowIcon) / 2, rowIcon, rowIcon)),
                Qt::AlignCenter, isEnabled() ? QIcon::Normal : QIcon::Disabled);
    const QRect room = rect().adjusted(rowGap / 2 + rowIcon + rowGap, 0, -rowGap / 2, 0);
    painter.setPen(theme.faintText);
    painter.drawText(placed(room), after | Qt::AlignAbsolute, day_);
    const int left = room.width() - fontMetrics().horizontalAdvance(day_) - rowGap;
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics ofName(bold);
    const int widest = std::max(left / 3, left - rowGap - fontMetrics().horizontalAdvance(about_));
    const QString name = ofName.elidedText(name_, Qt::ElideMiddle, widest);
    const int begin = std::max(ofName.horizontalAdvance(name) + rowGap, left / 4);
    const QRect ofAbout(room.x() + begin, 0, std::max(0, left - begin), height());
    painter.drawText(placed(ofAbout), before | Qt::AlignAbsolute,
                     fontMetrics().elidedText(about_, Qt::ElideRight, ofAbout.width()));
    painter.setFont(bold);
    painter.setPen(isEnabled() ? theme.text : theme.faintText);
    painter.drawText(placed(room), before | Qt::AlignAbsolute, name);
}

} // namespace headscope::app
