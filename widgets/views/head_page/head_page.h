#pragma once

#include <QWidget>

#include "model/analysis/heads/corpus_statistics.h"
#include "model/trace/run.h"
#include "widgets/view.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace headscope::widgets {

/// What is known of one head. Looks at nothing: all of it is a copy.
struct HeadFacts {
    analysis::HeadStatistics statistics;
    std::optional<analysis::HeadStatistics> twin;
    std::optional<double> importance; ///< nats
    /// Over the sentences of a corpus, by statistic; empty for one sentence.
    std::optional<analysis::CorpusStatistics::Intervals> intervals;
    /// Of a corpus, those that have most of `drivenBy`.
    std::vector<analysis::CorpusStatistics::Sentence> driving;
    analysis::Statistic drivenBy = analysis::Statistic::Confidence;
};

class KnownHeads;

/// As the table knows the head; nothing where it does not.
std::optional<HeadFacts> headFacts(const KnownHeads& heads, const trace::HeadAddress& head);

/// One head's statistics in words, its roles with what speaks for them, and the sentences that drive it most;
/// and a way to run many sentences.
class HeadPage : public View {
    Q_OBJECT

  public:
    explicit HeadPage(QWidget* parent = nullptr);

    /// The run that is shown, which the statistics of one sentence are of; may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    /// Nothing where nothing is known of the selected head.
    void setFacts(std::optional<HeadFacts> facts);
    const std::optional<HeadFacts>& facts() const { return facts_; }
    /// How far the sentences are; nothing where none are run.
    struct Progress {
        std::size_t done = 0;
        std::size_t wanted = 0;
    };
    void setProgress(std::optional<Progress> progress);
    /// Why no sentences can be run; empty where they can.
    void setWhyNoCorpus(const QString& whyNot);
    /// Sentences of the last corpus that the model refused.
    void setRefused(std::size_t sentences);
    /// A random twin is on that has not read the sentences.
    void setTwinUnread(bool unread);

    /// All that is said, for tests and readers.
    QString words() const;
    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QSize figureSize() const override;
    QSize narrowFigure(int width) const override;
    bool hasFigure() const override { return facts_ && run_ && run_->model; }
    trace::FigureData figureData() const override;
    /// Room for a few lines: the views around keep their own.
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void samplesRequested();
    void fileRequested();
    void cancelRequested();
    /// A sentence that drives the head is to be decoded.
    void sentenceChosen(const QString& sentence);

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QWidget* buildButtons();
    QWidget* buildProgress();
    void showFacts();
    void showDriving();
    QStringList figureParagraphs() const;

    std::shared_ptr<const trace::Run> run_;
    std::optional<HeadFacts> facts_;
    std::size_t refused_ = 0;
    bool twinUnread_ = false;
    QLabel* title_;
    QLabel* roles_;
    QLabel* statistics_;
    QLabel* drivingTitle_;
    QListWidget* driving_;
    QPushButton* samples_;
    QPushButton* file_;
    QWidget* buttons_;
    QProgressBar* progress_;
    QWidget* running_;
};

} // namespace headscope::widgets
