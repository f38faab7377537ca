#pragma once

#include <QWidget>

#include "model/trace/run.h"
#include "widgets/selection.h"
#include "widgets/view.h"
#include "widgets/views/classifier/read_class.h"

#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace headscope::widgets {

class ColumnTable;
class ReadablePlot;
class TallArea;

/// Explains a classifier that pools the largest value of each feature: the classes, the number of features
/// and the contribution to a class of each token, and the loss of the class without each word.
class ClassifierView : public View {
    Q_OBJECT

  public:
    enum class Page { Answer, Words };

    /// `selection` must outlive the view.
    explicit ClassifierView(Selection* selection, QWidget* parent = nullptr);
    ~ClassifierView() override;

    /// `run` may be null. Discards the reading of another run. For another sentence, explains its most
    /// probable class.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const;
    /// The class that is explained.
    std::size_t chosenClass() const;
    bool isSorted() const;
    bool showsProbabilities() const;
    /// The caption, or the reason why there is no picture.
    QString caption() const;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::ClassifierView::Page page);
    void setChosenClass(std::size_t chosen);
    void setSorted(bool sorted);
    void setSpaceMarksShown(bool shown) override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void buildControls();
    void tellChosenClass();
    void buildPages();
    void connectPlots();
    void light(std::optional<std::size_t> token);
    void scrollTo(const QWidget* inside, const QRect& place);
    void fillClasses();
    ReadClass shown() const;

    void showPage();
    void showAnswer();
    void showClasses();
    void showTokens();
    void lightToken();
    void showWords();
    void fitAnswer();
    std::optional<int> litToken() const;

    void showFeatures();
    QString whyNothing() const;
    /// Without where the pages differ.
    QString pageCaption() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::ClassifierReading> reading_; ///< of run_
    std::vector<analysis::WordEffect> words_;                 ///< in the order of the list
    QString whyNot_;
    bool spaceMarks_ = true;

    QTabBar* pages_;
    QComboBox* classes_;
    QComboBox* measures_;
    QCheckBox* sorted_;
    QPushButton* importance_;
    QStackedWidget* stack_;
    TallArea* answer_ = nullptr;
    ReadablePlot* classPlot_;
    ReadablePlot* tokenPlot_;
    ColumnTable* tokenTable_;
    ColumnTable* featureTable_;
    ReadablePlot* wordPlot_;
    ColumnTable* wordTable_;
    QLabel* reason_;  ///< which word matters most
    QLabel* caption_; ///< what is drawn
};

} // namespace headscope::widgets
