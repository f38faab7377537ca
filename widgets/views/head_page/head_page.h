#pragma once

#include <QWidget>

#include "model/analysis/heads/corpus_statistics.h"
#include "model/trace/run.h"
#include "widgets/tables/known_heads.h"
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

/// Everything known about a head. Holds copies only.
struct HeadFacts {
    analysis::HeadStatistics statistics;
    std::optional<analysis::HeadStatistics> twin;
    std::optional<double> importance; ///< nats
    /// Confidence intervals over the sentences of a corpus, by statistic; nullopt for a single sentence.
    std::optional<analysis::CorpusStatistics::Intervals> intervals;
    /// Sentences of a corpus with the largest values of `drivenBy`.
    std::vector<analysis::CorpusStatistics::Sentence> driving;
    analysis::Statistic drivenBy = analysis::Statistic::Confidence;
};

class Selection;

/// The statistics of a head in words, its roles with their evidence, and the sentences with the strongest
/// values. Offers to run many sentences.
class HeadPage : public View {
    Q_OBJECT

  public:
    /// `selection` outlives the page.
    explicit HeadPage(Selection* selection, QWidget* parent = nullptr);

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    std::optional<Lacking> lacks() const override;
    QString whyNot(const std::string& action) const override;
    /// As its buttons do.
    void act(const std::string& action) override;
    /// The shown run, which single-sentence statistics belong to; may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    /// Nullopt if nothing is known of the selected head.
    void setFacts(std::optional<HeadFacts> facts);
    const std::optional<HeadFacts>& facts() const { return facts_; }
    /// Progress of a running corpus; nullopt if none runs.
    struct Progress {
        std::size_t done = 0;
        std::size_t wanted = 0;
    };
    void setProgress(std::optional<Progress> progress);
    /// Why no corpus can be run; empty if one can.
    void setWhyNoCorpus(const QString& whyNot);
    /// Number of sentences of the last corpus that the model refused.
    void setRefused(std::size_t sentences);
    /// True if a random twin is shown that has not read the corpus.
    void setTwinUnread(bool unread);

    /// All text, for tests and screen readers.
    QString words() const;
    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    bool hasFigure() const override { return facts_ && run_ && run_->model; }
    trace::FigureData figureData() const override;
    /// Room for a few lines only, so that neighbouring views keep theirs.
    QSize minimumSizeHint() const override;

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QWidget* buildButtons();
    QWidget* buildProgress();
    /// What the facts stand on; null where that is not known.
    struct Known {
        trace::HeadAddress head;
        KnownStatistics statistics;
        KnownStatistics twin;
        KnownCorpus corpus;
        bool ofCorpus = false;    ///< the statistics are of that
        bool hasTwinRead = false; ///< that corpus
        std::shared_ptr<const trace::HeadImportance> importance = nullptr;
        std::shared_ptr<const analysis::CorpusStatistics::Intervals> intervals = nullptr;
        friend bool operator==(const Known&, const Known&) = default;
    };
    static std::optional<HeadFacts> factsOf(const Known& known);
    void showFacts();
    void showDriving();

    Selection* selection_;
    Known known_;
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
