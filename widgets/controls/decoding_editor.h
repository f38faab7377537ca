#pragma once

#include <QWidget>

#include "model/trace/decoding.h"

class QButtonGroup;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace headscope::widgets {

class NumberBox;
class SeedBox;

/// "Greedy", "Beam 4" or "Sampling".
QString decodingTitle(const trace::Decoding& decoding);

/// Form for the decoding options that the user can change. Options that only the model's folder decides are
/// kept.
class DecodingEditor : public QWidget {
    Q_OBJECT

  public:
    explicit DecodingEditor(QWidget* parent = nullptr);

    /// Emits no signal. `newTokens` is the maximum length.
    void setDecoding(const trace::Decoding& decoding, int newTokens);
    /// Sets the model's defaults.
    void setDefaults(const trace::Decoding& decoding, int newTokens);
    /// Settings of a recording cannot be changed, and those that it does not state are hidden.
    void setRecorded(bool isRecorded);
    /// Text below the fields; empty for none.
    void setNote(const QString& note);

    /// The decoding last set, with the user's changes; exact even if fields show rounded values.
    const trace::Decoding& decoding() const { return kept_; }
    int newTokens() const { return newTokens_; }

  Q_SIGNALS:
    /// The user changed an option.
    void decodingChanged(const headscope::trace::Decoding& decoding, int newTokens);

  private:
    /// Boxes write to a member of this, and only what the user changed.
    QSpinBox* countBox(const QString& name, int least, int most, int& value);
    NumberBox* numberBox(const QString& name, double least, double most, double step, double& value);
    SeedBox* seedBox();
    void choose(int way);
    void addRow(const QString& words, QWidget* field, const QString& tip);
    void addFields();
    QWidget* newWays();
    void showFields();
    void changed();

    trace::Decoding kept_; ///< includes options without a field
    int newTokens_ = 0;
    bool isRecorded_ = false;
    trace::Decoding defaults_;
    int defaultNewTokens_ = 0;
    QFormLayout* form_;
    QButtonGroup* way_;
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
