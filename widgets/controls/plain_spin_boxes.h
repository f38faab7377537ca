#pragma once

#include <QAbstractSpinBox>
#include <QDoubleSpinBox>

#include <cstdint>

namespace headscope::widgets {

/// A number box that shows only the decimals that are needed, at most nine.
class NumberBox : public QDoubleSpinBox {
    Q_OBJECT

  public:
    NumberBox(double least, double most, double step, QWidget* parent = nullptr);

    QString textFromValue(double value) const override;
};

/// A box for any 64-bit seed, since QSpinBox is limited to int.
class SeedBox : public QAbstractSpinBox {
    Q_OBJECT

  public:
    explicit SeedBox(QWidget* parent = nullptr);

    std::uint64_t value() const { return value_; }
    /// Emits no signal.
    void setValue(std::uint64_t value);
    /// Room for eight digits; longer seeds scroll.
    QSize sizeHint() const override;
    /// Stops at 0 and at the largest seed.
    void stepBy(int steps) override;
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;

  Q_SIGNALS:
    /// The user entered another value.
    void valueChanged(std::uint64_t value);

  protected:
    StepEnabled stepEnabled() const override;

  private:
    void choose(std::uint64_t value);

    std::uint64_t value_ = 0;
};

} // namespace headscope::widgets
