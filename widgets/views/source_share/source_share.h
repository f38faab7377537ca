#pragma once

#include <QWidget>

#include "model/trace/quantity_maps.h"
#include "model/trace/run.h"
#include "widgets/filmed_figure.h"
#include "widgets/map/accessible_map.h"
#include "widgets/map/named_labels.h"
#include "widgets/view.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// A thin curve under the target: how much of each step came from the source, by ALTI+. Is the model reading
/// or free-running? Below it stands the step in words. The arrow keys go from step to step.
class SourceShareView : public View, public FilmedFigure, public ReadableMap {
    Q_OBJECT

  public:
    explicit SourceShareView(QWidget* parent = nullptr);

    /// Both may be null; the contributions are those after the decoder's last layer, of the same run.
    void setShares(std::shared_ptr<const trace::Run> run,
                   std::shared_ptr<const trace::QuantityMaps> contributions);
    /// Why there is no curve and none will come; empty: it is on its way.
    void setWhyNone(const QString& why);
    void setStep(int step);
    void setLit(std::optional<int> step);
    /// Where the steps' tokens stand, in this widget's pixels; empty: the steps are spread evenly.
    void setCentres(std::vector<double> centres);

    /// One a step, NaN where undefined.
    const std::vector<double>& shares() const { return shares_; }
    LabelsBelow labelsBelow(double width) const;
    /// As a page of this step says it.
    QString wordsBelow(int step, const LabelsBelow& labels) const;
    double captionHeight(double width, const LabelsBelow& labels) const;
    double wordsHeight(double width, const LabelsBelow& labels) const;
    double furtherRows(double width, const LabelsBelow& labels) const;
    QSize uprightFigure(int width) const;
    QString stepInWords(int step) const;
    std::optional<int> stepAt(QPoint position) const;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override { return !shares_.empty(); }
    trace::FigureData figureData() const override;

    int rowCount() const override { return shares_.empty() ? 0 : 1; }
    int columnCount() const override { return static_cast<int>(shares_.size()); }
    QString rowName(int) const override { return tr("share from the source"); }
    QString columnName(int step) const override;
    QString cellInWords(MapCell cell) const override { return stepInWords(cell.column); }
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  Q_SIGNALS:
    void stepHovered(std::optional<int> step);
    void stepClicked(int step);

  protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void measureFilm() override { filmHeights_.clear(); }
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// Above the words.
    QRectF curveArea() const;
    QRectF plot(const QRectF& area, bool underTokens) const;
    bool isUnderTokens() const;
    QPointF pointOf(std::size_t step, const QRectF& plot, bool underTokens) const;
    /// `lit`: where the pointer is.
    void drawCurve(QPainter& painter, const QRectF& plot, bool underTokens, std::optional<int> lit,
                   const Theme& theme) const;
    void drawAxis(QPainter& painter, const QRectF& plot, const Theme& theme) const;
    QString inWords() const;
    static QString whatIsDrawn();
    QString figureCaption(int step) const;
    QString figureCaption() const { return figureCaption(step_); }
    QString whyEmpty() const override;

    std::shared_ptr<const trace::Run> run_;
    std::vector<double> shares_;
    std::vector<double> centres_;
    QString whyNone_;
    int step_ = 0;
    std::optional<int> lit_;
    bool spaceMarks_ = true; ///< of the figure: in the window the steps are named by the target above
    /// What the captions of all steps need, by a page's width and what is said of labels.
    mutable std::map<std::pair<double, QString>, double> filmHeights_;
};

} // namespace headscope::widgets
