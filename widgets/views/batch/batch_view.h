#pragma once

#include <QStringList>
#include <QWidget>

#include "widgets/figure_source.h"
#include "widgets/selection.h"
#include "widgets/views/batch/batch_question.h"

#include <array>
#include <memory>
#include <optional>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QTabBar;

namespace headscope::widgets {

class BatchGrid;
class LinkedMaps;

/// Two or three sentences of a person's own as one padded batch: their sources, what the decoder is fed and
/// scored on, and the masks that padding causes. It asks a question, which somebody else answers with runs.
class BatchView : public QWidget, public FigureSource {
    Q_OBJECT

  public:
    explicit BatchView(QWidget* parent = nullptr);

    /// Sentences to begin with, and the code of their language.
    void setSamples(const QStringList& samples, const QString& language);
    /// Fills the fields with examples that this model reads, unless a person has typed something it can read.
    void setModel(std::shared_ptr<const trace::ModelSummary> model);
    /// Sentences are decoded in another way from now on.
    void forgetAnswer();
    /// As if they were typed and Enter pressed.
    void setSentences(const std::vector<BatchSentence>& sentences);
    const std::vector<BatchSentence>& sentences() const { return sentences_; }
    /// Of question(); an answer to another one is as good as none.
    void setAnswer(BatchAnswer answer);

    /// What is still to be known; nothing as long as the view is hidden.
    std::optional<BatchQuestion> question() const;
    /// Whose masks are shown, from 0.
    int chosen() const;
    QString caption() const;
    /// The shown run has changes, which a batch has not.
    void setRunIsChanged(bool changed);

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    QSize figureSize() const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    bool hasFigure() const override { return answer_ && !answer_->sentences.empty(); }
    trace::FigureData figureData() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown);
    void choose(int sentence);

  Q_SIGNALS:
    /// question() may be another one.
    void questionChanged();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    struct Field {
        QLabel* name = nullptr;
        QLineEdit* source = nullptr;
        QLineEdit* target = nullptr;
    };
    QWidget* buildFields();
    QWidget* buildPicture();
    void fillFields();
    void showFields();
    void setCount(std::size_t count);
    /// Enter: what stands in the fields is asked about.
    void commit();
    std::optional<BatchQuestion> wanted() const;
    const BatchedSentence* shown() const;
    void showAnswer();
    QString masksCaption() const;
    void showMasks();
    void followFocus();
    void fitWidth();
    QString wayThere() const;

    QStringList samples_;
    QString language_; ///< of the samples
    std::shared_ptr<const trace::ModelSummary> model_;
    std::size_t count_ = 2; ///< fields in sight
    std::vector<BatchSentence> sentences_;
    std::vector<BatchSentence> filled_; ///< what the fields were filled with
    std::optional<BatchAnswer> answer_;
    bool runIsChanged_ = false;
    Selection* focus_; ///< of this batch alone

    std::array<Field, 3> fields_;
    QPushButton* add_;
    QPushButton* remove_;
    QScrollArea* scroll_;
    BatchGrid* grid_;
    QLabel* gridCaption_;
    QTabBar* tabs_;
    LinkedMaps* masks_;
    QLabel* masksCaption_;
    QLabel* detail_;
};

} // namespace headscope::widgets
