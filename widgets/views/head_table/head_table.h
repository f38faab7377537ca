#pragma once

#include <QWidget>

#include "model/analysis/heads/head_ranking.h"
#include "model/analysis/heads/statistics_of_heads.h"
#include "model/trace/run.h"
#include "widgets/selection.h"
#include "widgets/tables/head_filter.h"
#include "widgets/tables/known_heads.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace headscope::widgets {

class ColumnTable;
struct TableFigure;

/// "from “Tochter” to “daughter”"; of cross-attention from the token that was chosen there.
QString fromHereToThere(const trace::Run& run, const WatchedCell& cell);

/// Every head with its role, its statistics and its importance, to sort by any of them and to search; of the
/// shown sentence or of many, and on demand only the heads that look from one token to another.
class HeadTable : public View {
    Q_OBJECT

  public:
    using Heads = std::vector<analysis::HeadStatistics>;

    /// `selection` outlives the table.
    explicit HeadTable(Selection* selection, QWidget* parent = nullptr);

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    std::optional<Lacking> lacks() const override;
    /// The run that is shown; may be null.
    void setRun(std::shared_ptr<const trace::Run> run) override;
    /// Of the shown run; empty as long as they are not known.
    void setStatistics(Heads heads);
    /// Of many sentences; empty where none were run. New ones are shown at once.
    void setCorpus(Heads heads);
    /// Of the shown run's random twin, and of the twin over the many sentences; empty where there is none.
    void setTwin(Heads heads);
    void setTwinOfCorpus(Heads heads);
    /// Empty where it was not measured; `earlier`: before the model was changed.
    void setImportance(const std::vector<analysis::HeadScore>& scores, bool earlier = false);
    /// Lists only heads that attend from its query to its key, largest weight first; nothing: all heads.
    void setCell(std::optional<WatchedCell> cell);

    /// "Find Heads with Attention from “a” to “b”", of a cell.
    void addTo(QMenu& menu, const PointedAt& pointed) override;

    const KnownHeads& known() const { return known_; }
    /// The corpus is what is listed.
    bool showsCorpus() const;
    QString caption() const;
    std::optional<PointedAt> pointedAt(QPoint position) const override;
    /// Lists the heads of the pinned cell.
    void act(const std::string& action) override;
    QString whyNot(const std::string& action) const override;
    QWidget* takesKeys() const override; ///< the field by which heads are searched
    bool findHeads(const QString& words) override;
    /// Lists every head again.
    void forgetTyped() override;

    void drawFigure(QPainter& painter, QSize size, const Theme& theme) const override;
    FigureText figureText() const override;
    void addChoices(ViewChoices& choices) override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool exportChoices(PictureOptions& picture, const Choices& chosen) const override;
    QSize figureSize() const override;
    bool hasFigure() const override;
    trace::FigureData figureData() const override;
    /// Room for a row or two: the views around keep their own.
    QSize minimumSizeHint() const override;

  private:
    TableFigure figure() const;
    std::optional<WatchedCell> pinnedCell() const;
    QWidget* buildSearch();
    QWidget* buildCellBar();
    void connectChoices();
    void showListed();
    /// Lists the heads that the filter finds in what is known now.
    void list();
    void showState();
    void selectOnlyHit();

    Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    KnownStatistics knownOfShown_; ///< what shown_ is
    KnownStatistics knownOfTwin_;
    KnownCorpus knownOfCorpus_;
    bool twinHasRead_ = false; ///< that corpus
    std::shared_ptr<const trace::HeadImportance> knownImportance_;
    Heads shown_;
    Heads corpus_;
    Heads twin_;
    Heads twinOfCorpus_;
    bool earlierImportance_ = false;
    KnownHeads known_;
    HeadFilter filter_;
    HeadFilter::Listed listed_;
    QLineEdit* words_;
    QComboBox* kind_;
    QComboBox* scope_;
    QLabel* count_;
    QLabel* cell_;
    QDoubleSpinBox* leastWeight_;
    QWidget* cellBar_;
    QLabel* hint_;
    QLabel* nearest_; ///< above heads that are nearest to a role that none has
    ColumnTable* view_;
    QLabel* caption_;
};

} // namespace headscope::widgets
