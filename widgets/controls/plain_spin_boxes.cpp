#include "widgets/controls/plain_spin_boxes.h"

#include <QLineEdit>

#include <algorithm>
#include <limits>

namespace headscope::widgets {

namespace {

constexpr int mostDecimals = 9; ///< as needed by the minimum of top-p
constexpr std::uint64_t plainSpinBoxesLargest = std::numeric_limits<std::uint64_t>::max();

} // namespace

NumberBox::NumberBox(double least, double most, double step, QWidget* parent) : QDoubleSpinBox(parent) {
    setDecimals(mostDecimals); // before setRange(), which rounds to these decimals
    setRange(least, most);
    setSingleStep(step);
}

QString NumberBox::textFromValue(double value) const {
    return locale().toString(value, 'f', QLocale::FloatingPointShortest).remove(locale().groupSeparator());
}

SeedBox::SeedBox(QWidget* parent) : QAbstractSpinBox(parent) {
    setValue(0);
    connect(this, &QAbstractSpinBox::editingFinished, this, [this] { choose(text().toULongLong()); });
}

void SeedBox::setValue(std::uint64_t value) {
    value_ = value;
    lineEdit()->setText(QString::number(value));
}

void SeedBox::choose(std::uint64_t value) {
    const bool another = value != value_;
    setValue(value);
    if (another)
        Q_EMIT valueChanged(value);
}

QSize SeedBox::sizeHint() const {
    const int digits = fontMetrics().horizontalAdvance(QStringLiteral("00000000"));
    return QAbstractSpinBox::sizeHint() + QSize(digits, 0);
}

void SeedBox::stepBy(int steps) {
    const auto distance = static_cast<std::uint64_t>(std::abs(static_cast<std::int64_t>(steps)));
    choose(steps < 0 ? value_ - std::min(distance, value_)
                     : value_ + std::min(distance, plainSpinBoxesLargest - value_));
    selectAll();
}

QValidator::State SeedBox::validate(QString& text, int&) const {
    if (text.isEmpty())
        return QValidator::Intermediate;
    const bool digits = std::ranges::all_of(text, [](QChar c) { return c >= u'0' && c <= u'9'; });
    bool fits = false;
    text.toULongLong(&fits);
    return digits && fits ? QValidator::Acceptable : QValidator::Invalid;
}

/// Restores the value of an emptied box.
void SeedBox::fixup(QString& text) const {
    text = QString::number(value_);
}

QAbstractSpinBox::StepEnabled SeedBox::stepEnabled() const {
    return (value_ > 0 ? StepDownEnabled : StepNone) |
           (value_ < plainSpinBoxesLargest ? StepUpEnabled : StepNone);
}

} // namespace headscope::widgets
