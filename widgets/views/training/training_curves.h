#pragma once

#include <QWidget>

#include "model/trace/training_log.h"
#include "widgets/view.h"

#include <vector>

class QLabel;

namespace headscope::widgets {

class ReadablePlot;

/// Curves of a training over its steps: losses; accuracy and BLEU of the validations; entropy of the
/// attention.
class TrainingCurves : public View {
    Q_OBJECT

  public:
    explicit TrainingCurves(QWidget* parent = nullptr);

    void refresh() override;
    /// Gives the training another name.
    void showPicture(const PictureOptions& options) override;
    QString trainingLog() const override { return QString::fromStdString(training_.path); }
    QString caption() const;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    bool isOfRun() const override { return false; }
    bool hasFigure() const override { return !training_.points.empty(); }
    trace::FigureData figureData() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    std::vector<QRectF> areas(const QRectF& whole) const;
    double leastWidth() const;
    void place();

    trace::TrainingLog training_;
    std::vector<ReadablePlot*> plots_;
    QLabel* caption_;
};

} // namespace headscope::widgets
