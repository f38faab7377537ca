#pragma once

#include <QTableWidget>

#include "model/analysis/compare/compare_readings.h"
#include "widgets/selection.h"

#include <vector>

namespace headscope::widgets {

/// The tokens of an output from left to right, under each its probability in the model and in its random
/// twin, as numbers and as bars. A click goes to the step.
class TwoReadingsTable : public QTableWidget {
    Q_OBJECT

  public:
    /// `selection` outlives the table.
    explicit TwoReadingsTable(Selection* selection, QWidget* parent = nullptr);

    /// Token i was chosen at step i; or classes, which are no steps.
    void setReadings(const std::vector<analysis::TokenReading>& readings, bool areSteps);

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown);

  protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void fitRows();
    void followStep();
    void goTo(int column);

    Selection* selection_;
    bool areSteps_ = true;
};

/// A random network's probabilities are small: they keep two digits.
QString probabilityText(double logProbability);

/// "Token 5: “Tochter”. Probability 0.8300 in the model, 0.0001 in the random twin"
QString readingInWords(const analysis::TokenReading& reading, std::size_t place);

} // namespace headscope::widgets
