#pragma once

#include <QWidget>

#include "widgets/view.h"
#include "widgets/views/training/training_points.h"

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

    /// `name`: the trained model.
    void setName(const QString& name);
    const QString& name() const { return name_; }
    /// File with the points that are shown; empty if there is none.
    void setLog(const QString& path);
    const QString& log() const { return log_; }
    QString trainingLog() const override { return log(); }
    void setPoints(std::vector<TrainingPoint> points);
    const std::vector<TrainingPoint>& points() const { return points_; }
    QString caption() const;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool isOfRun() const override { return false; }
    bool hasFigure() const override { return !points_.empty(); }
    trace::FigureData figureData() const override;

  Q_SIGNALS:
    /// Describes the point under the pointer or the cursor; empty if there is none.
    void pointDescribed(const QString& words);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    std::vector<QRectF> areas(const QRectF& whole) const;
    double leastWidth() const;
    void place();

    QString name_;
    QString log_;
    std::vector<TrainingPoint> points_;
    std::vector<ReadablePlot*> plots_;
    QLabel* caption_;
};

} // namespace headscope::widgets
