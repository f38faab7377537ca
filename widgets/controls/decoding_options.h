#pragma once

#include <QWidget>

#include "model/trace/decoding.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace headscope::widgets {

class NumberBox;
class SeedBox;

/// "Greedy", "Beam 4" or "Sampling".
QString decodingTitle(const trace::Decoding& decoding);

/// How the next tokens are chosen, for a person to change. What only a model's folder decides stays as it is.
class DecodingOptions : public QWidget {
    Q_OBJECT

  public:
    explicit DecodingOptions(QWidget* parent = nullptr);

    /// Emits nothing. `newTokens` is the maximum length.
    void setDecoding(const trace::Decoding& decoding, int newTokens);
    /// What the model itself asks for.
    void setDefaults(const trace::Decoding& decoding, int newTokens);
    /// Said below the fields; empty for nothing.
    void setNote(const QString& note);

    /// As it was set, but for what a person changed: fields may show it rounded.
    const trace::Decoding& decoding() const { return kept_; }
    int newTokens() const { return newTokens_; }

  Q_SIGNALS:
    /// A person changed something.
    void decodingChanged(const headscope::trace::Decoding& decoding, int newTokens);

  private:
    /// Boxes write to a member of this alone, and only what a person changed.
    QSpinBox* countBox(const QString& name, int least, int most, int& value);
    NumberBox* numberBox(const QString& name, double least, double most, double step, double& value);
    SeedBox* seedBox();
    void choose(int way);
    void addRow(const QString& words, QWidget* field, const QString& tip);
    void addFields();
    void showFields();
    void changed();

    trace::Decoding kept_; ///< with what is not shown
    int newTokens_ = 0;
    trace::Decoding defaults_;
    int defaultNewTokens_ = 0;
    QFormLayout* form_;
    QComboBox* way_;
    QSpinBox* beam_;
    NumberBox* lengthPenalty_;
    NumberBox* temperature_;
    QSpinBox* topK_;
    NumberBox* topP_;
    SeedBox* seed_;
    QSpinBox* minimum_;
    QSpinBox* maximum_;
    QSpinBox* noRepeat_;
    QPushButton* reset_;
    QLabel* note_;
};

} // namespace headscope::widgets
