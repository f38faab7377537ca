#pragma once

#include <QAbstractSpinBox>
#include <QDoubleSpinBox>

#include <cstdint>

namespace headscope::widgets {

/// A number with as many digits as it needs, nine after the point at most.
class NumberBox : public QDoubleSpinBox {
    Q_OBJECT

  public:
    NumberBox(double least, double most, double step, QWidget* parent = nullptr);

    QString textFromValue(double value) const override;
};

/// Any seed there is: QSpinBox ends at the largest int.
class SeedBox : public QAbstractSpinBox {
    Q_OBJECT

  public:
    explicit SeedBox(QWidget* parent = nullptr);

    std::uint64_t value() const { return value_; }
    /// Emits nothing.
    void setValue(std::uint64_t value);
    /// Room for eight digits; longer seeds scroll.
    QSize sizeHint() const override;
    /// Stays within what there is.
    void stepBy(int steps) override;
    QValidator::State validate(QString& text, int& position) const override;
    void fixup(QString& text) const override;

  Q_SIGNALS:
    /// A person chose another one.
    void valueChanged(std::uint64_t value);

  protected:
    StepEnabled stepEnabled() const override;

  private:
    void choose(std::uint64_t value);

    std::uint64_t value_ = 0;
};

} // namespace headscope::widgets
