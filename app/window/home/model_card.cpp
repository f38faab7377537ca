#include "app/window/home/model_card.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::app {

namespace {

constexpr int cardEdge = widgets::space::m;
constexpr int sideOfModel = 96, sideOfToy = 52;

QString introduced(const std::string& words) {
    return QCoreApplication::translate("BundledModels", words.c_str());
}

} // namespace

ModelCard::ModelCard(const BundledModel& model, QWidget* parent)
    : QPushButton(parent), badge_(introduced(model.badge)),
      map_(QImage(QString::fromStdString(model.thumbnail.string()))
               .convertToFormat(QImage::Format_Grayscale8)),
      side_(model.isToy ? sideOfToy : sideOfModel) {
    setObjectName(QString::fromStdString(model.name));
    setAutoDefault(true); // Enter opens it
    setAttribute(Qt::WA_Hover);
    auto* row = new QHBoxLayout(this);
    row->setSpacing(0);
    row->addItem(new QSpacerItem(side_ + cardEdge, side_, QSizePolicy::Fixed)); // of the map
    column_ = new QVBoxLayout;
    column_->setSpacing(widgets::space::xs);
    row->addLayout(column_, 1);
    const bool isName = model.title == model.name; // the same in every language
    const QString titled = isName ? QString::fromStdString(model.name) : introduced(model.title);
    auto* title = add(titled);
    widgets::setTextRole(title, widgets::TextRole::Section);
    add(introduced(model.says))->setForegroundRole(QPalette::PlaceholderText);
    column_->addStretch(1);
    QStringList facts;
    for (const auto& each : {model.size, model.score})
        if (!each.empty())
            facts += introduced(each);
    if (!facts.isEmpty()) {
        auto* last = add(facts.join(QStringLiteral(", ")));
        last->setForegroundRole(QPalette::PlaceholderText);
        widgets::setTextRole(last, widgets::TextRole::Caption);
    }
    setAccessibleName(isName ? titled : tr("%1, toy model").arg(titled));
    QStringList words;
    for (const auto& each : {model.badge, model.says, model.size, model.score})
        if (!each.empty())
            words += introduced(each);
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    setToolTip(QString::fromStdString(model.opens));
    fitBadge();
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QLabel* ModelCard::add(const QString& words) {
    auto* label = new QLabel(words, this);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    column_->addWidget(label);
    labels_.push_back(label);
    return label;
}

/// It lies on the upper edge of the card.
void ModelCard::fitBadge() {
    const int above = badgeHeight() / 2;
    layout()->setContentsMargins(cardEdge, above + cardEdge, cardEdge, cardEdge);
}

int ModelCard::badgeHeight() const {
    return QFontMetrics(widgets::fontOf(widgets::TextRole::Caption, font())).height() + widgets::space::xs;
}

void ModelCard::changeEvent(QEvent* event) {
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::FontChange && layout())
        fitBadge();
}

QSize ModelCard::minimumSizeHint() const {
    constexpr int characters = 20; // of the longer texts
    const auto* title = labels_.front();
    const int widest = std::max(title->fontMetrics().horizontalAdvance(title->text()) + 2,
                                characters * fontMetrics().averageCharWidth());
    const auto margins = layout()->contentsMargins();
    const int width = margins.left() + side_ + cardEdge + widest + margins.right();
    return {width, layout()->totalHeightForWidth(width)};
}

QSize ModelCard::sizeHint() const {
    return minimumSizeHint();
}

QRect ModelCard::mapRect() const {
    const QPoint from(cardEdge, layout()->contentsMargins().top());
    const int cell = std::max(1, side_ / std::max({1, map_.width(), map_.height()}));
    const QSize size = map_.size() * cell;
    return QStyle::visualRect(layoutDirection(), rect(),
                              {from + QPoint(side_ - size.width(), side_ - size.height()) / 2, size});
}

void ModelCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& theme = widgets::themeOf(palette());
    const bool isChosen = hasFocus() || underMouse();
    const int above = layout()->contentsMargins().top() - cardEdge;
    const double half = isChosen ? 1 : 0.5;
    painter.setPen(QPen(isChosen ? theme.accent : theme.line, 2 * half));
    painter.setBrush(isDown() ? theme.panel : theme.background);
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, above + half, -half, -half),
                            widgets::space::cardRadius, widgets::space::cardRadius);
    if (!badge_.isEmpty()) {
        painter.setFont(widgets::fontOf(widgets::TextRole::Caption, font()));
        const int width = painter.fontMetrics().horizontalAdvance(badge_) + 2 * cardEdge;
        const QRectF pill(QStyle::visualRect(
            layoutDirection(), rect(), QRect(rect().right() - cardEdge - width, 0, width, badgeHeight())));
        painter.setPen(theme.good);
        painter.setBrush(theme.background);
        painter.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), above, above);
        painter.drawText(pill, Qt::AlignCenter, badge_);
    }
    if (map_.isNull())
        return;
    const auto scale = widgets::ColourScale::sequential(0, 255, widgets::ColourMapping::Linear, theme.dark);
    QImage colours(map_.size(), QImage::Format_RGB32);
    for (int y = 0; y < map_.height(); ++y)
        for (int x = 0; x < map_.width(); ++x)
            colours.setPixel(x, y, scale.colour(qGray(map_.pixel(x, y))));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawImage(mapRect(), colours);
    painter.setPen(theme.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(mapRect().adjusted(-1, -1, 0, 0));
}

} // namespace headscope::app
