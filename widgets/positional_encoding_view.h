#pragma once

#include <QWidget>

#include "widgets/figure_source.h"
#include "widgets/position_table.h"
#include "widgets/selection.h"

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;
class QTabBar;

namespace headscope::widgets {

class NumberMap;
class PositionCurves;

/// The positional vectors that the model adds, as it holds them, never as a formula says: curves of chosen
/// dimensions, the whole table, and how alike positions are. The positions of lit tokens are marked in each.
class PositionalEncodingView : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    enum class Page { Curves, Table, Similarity };

    /// `selection` outlives the view.
    explicit PositionalEncodingView(Selection* selection, QWidget* parent = nullptr);

    /// May be null.
    void setRun(std::shared_ptr<const trace::Run> run);

    Page page() const;
    PositionSide side() const;
    const std::vector<int>& dimensions() const { return dimensions_; }
    /// As asked for; similarity shows no more than mostCompared.
    int positionsShown() const;
    /// Comparing each two of more positions would stall the window.
    static constexpr int mostCompared = 512;
    /// The sentence under the picture, or why there is no picture.
    QString caption() const;

    void drawFigure(QPainter& painter, QSize size) const override;
    FigureText figureText() const override;
    bool hasFigure() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::PositionalEncodingView::Page page);
    void setSide(headscope::widgets::PositionSide side);
    /// Dimensions count from 0; at most eight are drawn.
    void setDimensions(const std::vector<int>& dimensions);
    void setPositionsShown(int count);

  Q_SIGNALS:
    /// What is under the pointer or the cursor, in words; empty when there is nothing.
    void cellDescribed(const QString& words);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void buildControls();
    void buildPages();
    void connectSelection();
    void tableChanged();
    void showTable();
    void showVectors(const trace::Matrix& shown, const std::vector<int>& marked);
    void showSimilarity(const trace::Matrix& shown, const std::vector<int>& marked);
    void readDimensions();
    void followFocus();
    std::size_t shownRows() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    PositionTable table_;
    std::vector<int> dimensions_{4, 5, 6, 7};

    QTabBar* pages_;
    QComboBox* sides_;
    QLabel* dimensionsLabel_;
    QLineEdit* dimensionsEdit_;
    QSpinBox* positions_;
    QLabel* notice_;
    QStackedWidget* stack_;
    PositionCurves* curves_;
    NumberMap* map_;
    NumberMap* similarity_;
    QLabel* caption_;
};

} // namespace headscope::widgets
