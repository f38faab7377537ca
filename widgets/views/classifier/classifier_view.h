#pragma once

#include <QWidget>

#include "model/analysis/output/classifier_tokens.h"
#include "model/trace/run.h"
#include "widgets/drawing/token_label.h"
#include "widgets/selection.h"
#include "widgets/view.h"

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

/// How a classifier over the largest value of each feature comes to its answer: the classes, which token gave
/// how many of the features and what these add to a class, and what the class loses without each word.
class ClassifierView : public View {
    Q_OBJECT

  public:
    enum class Page { Answer, Words };

    /// `selection` outlives the view.
    explicit ClassifierView(Selection* selection, QWidget* parent = nullptr);
    ~ClassifierView() override;

    /// May be null. What was read of another run is forgotten; of another sentence, the class that it was
    /// put into is taken apart.
    void setRun(std::shared_ptr<const trace::Run> run) override;

    Page page() const;
    /// The class that is taken apart.
    std::size_t chosenClass() const;
    bool isSorted() const;
    bool showsProbabilities() const;
    /// The sentence under the picture, or why there is no picture.
    QString caption() const;
    std::optional<Errand> errand() override;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setPage(headscope::widgets::ClassifierView::Page page);
    void setChosenClass(std::size_t chosen);
    void setSorted(bool sorted);
    void setSpaceMarksShown(bool shown) override;
    /// Of the shown run, or why there is none.
    void setReading(std::shared_ptr<const headscope::trace::ClassifierReading> reading,
                    const QString& whyNot = {});

  Q_SIGNALS:
    /// The list of heads by importance is asked for.
    void importanceWanted();
    /// By a person, or because another sentence was put into another class.
    void chosenClassChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    // classifier_view.cpp
    void buildControls();
    void buildPages();
    void connectPlots();
    void light(std::optional<std::size_t> token);
    void scrollTo(const QWidget* inside, const QRect& place);
    void fillClasses();
    /// The tokens of a word as one name.
    TokenLabel nameOf(const analysis::WordEffect& word) const;

    // classifier_view_pages.cpp
    void showPage();
    void showAnswer();
    void showClasses();
    void showTokens();
    void lightToken();
    void showWords();
    void fitAnswer();
    std::optional<int> litToken() const;

    // classifier_features.cpp
    void showFeatures();
    trace::DataTable featureData() const;

    // classifier_view_words.cpp
    double pictureHeight(double width) const;
    /// With the distance to the picture.
    double captionHeight(double width) const;
    QString nameOf(std::size_t chosen) const;
    QString whyNothing() const;
    QString answerCaption() const;
    QString reason() const;
    /// Without what reason() says.
    QString pageCaption() const;
    QString wordsCaption() const;
    QString whereTheyDiffer() const;

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::shared_ptr<const trace::ClassifierReading> reading_; ///< of run_
    std::vector<analysis::WordEffect> words_;                 ///< as they are listed
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
