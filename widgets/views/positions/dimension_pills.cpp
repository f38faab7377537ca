#include "widgets/views/positions/dimension_pills.h"

#include "widgets/controls/flow_layout.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/words/card_words.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QShortcut>
#include <QToolButton>

#include <algorithm>
#include <optional>

namespace headscope::widgets {

/// A sample of the curve, the number and the value in a rounded frame. The cross stands where there is no
/// value, and under the pointer.
class DimensionPill : public QAbstractButton {
  public:
    explicit DimensionPill(QWidget* parent) : QAbstractButton(parent) {
        setAttribute(Qt::WA_Hover);
        setFocusPolicy(Qt::StrongFocus);
    }

    void setCurve(int curve, int dimension) {
        curve_ = curve;
        dimension_ = dimension;
        setText(QString::number(dimension));
        updateGeometry();
        update();
    }
    void setValue(std::optional<double> value) {
        value_ = value;
        update();
    }
    int dimension() const { return dimension_; }
    std::optional<double> value() const { return value_; }

    QSize sizeHint() const override {
        return {2 * margin + sample + 2 * gap + fontMetrics().horizontalAdvance(text()) + valueWidth(),
                std::max(fontMetrics().height() + margin, space::target)};
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = themeOf(palette());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(theme.panel);
        painter.setPen(QPen(hasFocus() ? theme.focus : theme.outline, hasFocus() ? 2 : 1));
        const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
        painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);
        painter.setPen(QPen(categoryColours(theme).at(curve_ % PositionCurves::mostCurves), 2,
                            PositionCurves::dashOf(curve_), Qt::FlatCap));
        const double middle = frame.center().y();
        painter.drawLine(QPointF(margin, middle), QPointF(margin + sample, middle));
        painter.setPen(theme.text);
        const QRect words = rect().adjusted(margin + sample + gap, 0, -margin, 0);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text());
        painter.setPen(theme.faintText);
        if (value_ && !(underMouse() && isEnabled()))
            painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, shortNumberText(*value_));
        else if (isEnabled())
            painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, QString(QChar(0x00D7)));
    }

  private:
    static constexpr int margin = 8, gap = 5, sample = 24;
    int valueWidth() const { return fontMetrics().horizontalAdvance(shortNumberText(-0.88)); }

    int curve_ = 0;
    int dimension_ = 0;
    std::optional<double> value_;
};

DimensionPills::DimensionPills(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), add_(new QToolButton(this)), field_(new QLineEdit(this)) {
    add_->setText(tr("+ Add"));
    add_->setAccessibleName(add_->text()); // until it is known of what
    add_->setFocusPolicy(Qt::StrongFocus);
    field_->setMaxLength(40);
    field_->setFixedWidth(10 * fontMetrics().averageCharWidth());
    field_->hide();
    auto* row = new FlowLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    row->addWidget(title_);
    connect(add_, &QToolButton::clicked, this, [this] {
        add_->hide();
        field_->show();
        field_->setFocus();
    });
    connect(field_, &QLineEdit::returnPressed, this, [this] { Q_EMIT typed(field_->text()); });
    connect(field_, &QLineEdit::editingFinished, this, [this] {
        if (!field_->hasFocus())
            endTyping();
    });
    auto* leave = new QShortcut(Qt::Key_Escape, field_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(leave, &QShortcut::activated, this, &DimensionPills::endTyping);
}

void DimensionPills::setDimensions(const std::vector<int>& dimensions, int all, bool areHeads) {
    title_->setText(areHeads ? tr("Head") : tr("Dimension"));
    add_->setAccessibleName(areHeads ? tr("Add a head") : tr("Add a dimension"));
    add_->setEnabled(dimensions.size() < PositionCurves::mostCurves && std::ssize(dimensions) < all);
    add_->setToolTip(add_->isEnabled()              ? add_->accessibleName()
                     : std::ssize(dimensions) < all ? tr("Eight curves at most: remove one first")
                                                    : tr("All are shown"));
    field_->setAccessibleName(add_->accessibleName());
    field_->setToolTip(tr("A number from 0 to %1, or several, such as 4,5 or 0-3").arg(all - 1));
    field_->setPlaceholderText(tr("0 to %1").arg(all - 1));
    for (; pills_.size() > dimensions.size(); pills_.pop_back()) {
        pills_.back()->hide();
        pills_.back()->deleteLater(); // it may be the one that was clicked
    }
    while (pills_.size() < dimensions.size()) {
        auto* pill = pills_.emplace_back(new DimensionPill(this));
        connect(pill, &QAbstractButton::clicked, this, [this, pill] { remove(pill); });
    }
    for (std::size_t curve = 0; curve < pills_.size(); ++curve) {
        pills_[curve]->setCurve(static_cast<int>(curve), dimensions[curve]);
        pills_[curve]->setEnabled(dimensions.size() > 1);
        pills_[curve]->setToolTip(dimensions.size() > 1 ? tr("Click: remove this curve")
                                                        : tr("The last curve stays"));
        layout()->addWidget(pills_[curve]);
        setTabOrder(curve > 0 ? static_cast<QWidget*>(pills_[curve - 1]) : this, pills_[curve]);
    }
    setTabOrder(pills_.back(), add_);
    layout()->addWidget(add_);
    layout()->addWidget(field_);
    setValues({});
    endTyping();
}

void DimensionPills::setValues(const std::vector<double>& values) {
    for (std::size_t i = 0; i < pills_.size(); ++i) {
        pills_[i]->setValue(i < values.size() ? std::optional(values[i]) : std::nullopt);
        const QString name = tr("%1 %2").arg(title_->text(), pills_[i]->text());
        pills_[i]->setAccessibleName(
            pills_[i]->value() ? tr("%1: %2").arg(name, shortNumberText(*pills_[i]->value())) : name);
    }
}

void DimensionPills::remove(const DimensionPill* pill) {
    std::vector<int> left;
    for (const auto* each : pills_)
        if (each != pill)
            left.push_back(each->dimension());
    Q_EMIT reduced(left);
}

void DimensionPills::endTyping() {
    if (field_->isHidden())
        return;
    const bool hadKeys = field_->hasFocus();
    field_->clear();
    field_->hide();
    add_->show();
    if (hadKeys)
        add_->setFocus();
    Q_EMIT typed({});
}

} // namespace headscope::widgets
