#pragma once

#include <QWidget>

#include "model/trace/quantity_maps.h"
#include "model/trace/run.h"
#include "widgets/animated_figure.h"
#include "widgets/map/accessible_map.h"
#include "widgets/map/named_labels.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

struct Theme;

/// A thin curve below the target: the share of each step that comes from the source, by ALTI+. It shows
/// whether the model reads the source or relies on its own output. A line of text describes the current step;
/// arrow keys move between steps.
class SourceShareView : public View, public AnimatedFigure, public ReadableMap {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit SourceShareView(Selection* selection, QWidget* parent = nullptr);

    /// Contributions after the decoder's last layer of the same run. Both may be null.
    void setShares(std::shared_ptr<const trace::Run> run,
                   std::shared_ptr<const trace::QuantityMaps> contributions);
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    void setStep(int step);
    void setCentres(std::vector<double> centres) override;
    void setSpaceMarksShown(bool shown) override { spaceMarks_ = shown; }

    /// One per step, 0 to 1; NaN if undefined.
    const std::vector<double>& shares() const { return shares_; }
    LabelsBelow labelsBelow(double width) const;
    QString stepInWords(int step) const;
    std::optional<trace::TokenIndex> stepAt(QPoint position) const override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return !shares_.empty(); }
    trace::FigureData figureData() const override;

    int rowCount() const override { return shares_.empty() ? 0 : 1; }
    int columnCount() const override { return shares_.size(); }
    QString rowName(int) const override { return tr("share from the source"); }
    QString columnName(int step) const override;
    QString cellInWords(MapCell cell) const override { return stepInWords(cell.column); }
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

  protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void measureAnimation() override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// The area above the text.
    QRectF curveArea() const;
    QRectF plot(const QRectF& area, bool underTokens) const;
    bool isUnderTokens() const { return !shares_.empty() && centres_.size() >= shares_.size(); }
    QPointF pointOf(std::size_t step, const QRectF& plot, bool underTokens) const;
    /// `lit`: the step under the pointer.
    void drawCurve(QPainter& painter, const QRectF& plot, bool underTokens, std::optional<int> lit,
                   const Theme& theme) const;
    void drawAxis(QPainter& painter, const QRectF& plot, const Theme& theme) const;
    FigureBlock curveBlock() const;
    QString inWords() const;
    static QString whatIsDrawn();
    QString figureCaption(int step) const;
    QString figureCaption() const { return figureCaption(step_); }
    QString whyEmpty() const override;

    /// Of a complete run of a model that reads a source.
    std::optional<trace::Question> question() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::QuantityMaps> contributions_;
    std::vector<double> shares_;
    std::vector<double> centres_;
    QString whyNone_; ///< empty: it is being computed
    int step_ = 0;
    bool spaceMarks_ = true; ///< for the figure; in the window the tokens are those of the target above
    QString longestCaption_; ///< of an animation
};

} // namespace headscope::widgets
