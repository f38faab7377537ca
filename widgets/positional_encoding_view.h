#pragma once

#include <QWidget>

#include "model/trace/run.h"
#include "widgets/figure_source.h"

#include <memory>
#include <vector>

namespace headscope::widgets {

/// The positional vectors that the model adds, as it holds them, never as a formula says: curves of chosen
/// dimensions, the whole table, and how alike positions are.
class PositionalEncodingView : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    enum class Page { Curves, Table, Similarity };
    enum class Side { Source, Target };

    explicit PositionalEncodingView(QWidget* parent = nullptr);
    ~PositionalEncodingView() override;

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);

    Page page() const;
    std::vector<int> dimensions() const;

    void drawFigure(QPainter& painter, QSize size) const override;
    FigureText figureText() const override;
    bool hasFigure() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::PositionalEncodingView::Page page);
    void setSide(headscope::widgets::PositionalEncodingView::Side side);
    /// Dimensions count from 0.
    void setDimensions(const std::vector<int>& dimensions);
    void setPositionsShown(int count);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// "4, 5,6" and "0-3" to numbers below `width`, each once, in the order typed; nothing if a part is no
/// number.
std::vector<int> parseDimensions(const QString& text, int width);

} // namespace headscope::widgets
