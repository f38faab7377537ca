#pragma once

#include <QString>
#include <QWidget>

#include "model/analysis/scores/score_shares.h"
#include "model/trace/model_summary.h"
#include "model/trace/task.h"
#include "widgets/drawing/matrix_image.h"
#include "widgets/figure_blocks.h"
#include "widgets/map/map_layout.h"
#include "widgets/map/map_picture.h"
#include "widgets/map/map_view.h"
#include "widgets/selection.h"
#include "widgets/views/positions/position_question.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace headscope::widgets {

class CardHead;
class ColumnTable;
class ReadablePlot;
class ScoreTermMaps;
struct MapMarks;
struct TableColumn;
struct Theme;

/// The terms of one head with everything needed to paint them.
struct HeadTerms {
    HeadTerms() = default;
    HeadTerms(const HeadTerms&) = delete; // the pyramids refer to the matrices
    HeadTerms& operator=(const HeadTerms&) = delete;

    std::vector<trace::Matrix> terms;    ///< in the order of trace::ScoreTerms
    trace::Matrix scores;                ///< sum of the terms
    double limit = 1;                    ///< largest magnitude of an allowed cell in any map
    std::vector<MatrixPyramid> pyramids; ///< of the terms
    MatrixPyramid ofScores;
};

/// `centred`: subtracts each row's mean over its allowed keys (analysis::centredRows). For a long sentence
/// too slow for the GUI thread. `terms` must outlive the result. Throws trace::Cancelled.
std::shared_ptr<const HeadTerms> headTerms(const trace::ScoreTerms& terms, std::size_t head, bool centred,
                                           const trace::Task& work = {});

/// "word–position": the part of the query, then the part of the key.
QString termName(const trace::ScoreTerm& term);
/// "pos.–word", for narrow places.
QString shortTermName(const trace::ScoreTerm& term);
QString originName(analysis::ScoreOrigin origin);
/// Why a share of the scores' variance can be below 0 or above 100 %.
QString sharesBeyondInWords();
/// The origins that occur in the terms, in order.
std::vector<analysis::ScoreOrigin> originsIn(const trace::ScoreTerms& terms);

/// "4.1234 = 2.5012 (word–word) + 1.2000 (word–position) − ...".
QString sumInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell);
/// "Query “gave”, key “old”: " and the sum, or "masked".
QString cellInWords(const trace::ScoreTerms& terms, const HeadTerms& shown, MapCell cell);

/// Caption: what is drawn and how it was computed. `limit`: of the colour scale.
QString scoreTermsCaption(const trace::ModelSummary& model, const trace::ScoreTerms& terms, int head,
                          const analysis::HeadScoreShares& shares, double limit, bool centred);

/// Returns the head nearest to `selected` whose scores can be split exactly: same number, in the first layer
/// of the stack, or in any layer if positions enter within attention. Nullopt if the model has no such
/// attention.
std::optional<trace::HeadAddress> nearestExactHead(const trace::ModelSummary& model,
                                                   trace::AttentionKind kind,
                                                   const trace::HeadAddress& selected);

/// Returns the allowed key with the highest score, which represents the row if no cell is highlighted.
int highestKey(trace::MatrixView scores, const trace::MaskMatrix& mask, int row);

/// The maps of the terms of a long sentence.
struct PreparedTerms {
    using Value = std::shared_ptr<const HeadTerms>;
    static constexpr bool takesLong = true;

    std::shared_ptr<const trace::ScoreTerms> terms;
    std::size_t head = 0;
    bool centred = false;

    Value count(const trace::Task& work) const;
    friend bool operator==(const PreparedTerms&, const PreparedTerms&) = default;
};

/// What a head's scores consist of, and which heads of the layer attend by content and which by position: as
/// maps and bars, or as numbers.
class ScoreTermsPage : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the page.
    explicit ScoreTermsPage(Selection* selection, QWidget* parent = nullptr);

    /// `head` must belong to the site of the answer.
    void setAnswer(const PositionAnswer& answer, const trace::HeadAddress& head);
    /// For above the page.
    CardHead* cardHead() const { return cardHead_; }
    void setNumbersShown(bool shown);
    /// Else those of word and position alone.
    void setAllTermsShown(bool shown);
    QString caption() const;
    bool isCentred() const;
    /// The drawn terms; null while they are being prepared.
    const HeadTerms* shownTerms() const { return isShown() ? shown_.get() : nullptr; }
    FigureBlock block() const;
    /// The terms of a long sentence; nullopt of a short one, whose are there at once.
    std::optional<PreparedTerms> preparing() const;
    /// Takes what is known of it.
    void refresh(const trace::KnownAnswers& known);

  public Q_SLOTS:
    void setCentred(bool centred);
    void setSpaceMarksShown(bool shown);

  Q_SIGNALS:
    void cellDescribed(const QString& words);
    /// caption() has changed.
    void captionChanged();
    /// preparing() may have changed.
    void questionsChanged();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    QString otherHeadInWords() const;
    void showTerms();
    void showHeads();
    void showShares();
    void followSelection();
    void showCell();
    int tableWidth(int columns) const;
    TableColumn shareColumn(const QString& title, const QString& toolTip,
                            const std::vector<double>& shares) const;
    trace::AttentionKind kind() const { return head_.site.kind; }
    std::optional<MapCell> shownCell() const;

    Selection* selection_;
    std::shared_ptr<const trace::ModelSummary> model_;
    std::shared_ptr<const trace::ScoreTerms> terms_;
    std::vector<analysis::HeadScoreShares> shares_; ///< [heads]
    PreparedTerms whose() const { return {terms_, head_.head, isCentred()}; }
    bool isLong() const;
    /// False while the terms of a long sentence are being prepared.
    bool isShown() const { return shown_ && shownOf_ == whose(); }
    void sayMissing(const QString& words);
    void take(std::shared_ptr<const HeadTerms> shown);

    std::shared_ptr<const HeadTerms> shown_;
    PreparedTerms shownOf_;
    QString missing_; ///< what is said instead of terms that are not prepared
    trace::HeadAddress head_;

    CardHead* cardHead_;
    QCheckBox* centred_;
    QLabel* otherHead_; ///< why another head than the selected one is shown
    QPushButton* select_;
    ScoreTermMaps* maps_;
    ReadablePlot* sharesPlot_;
    QToolButton* more_;
    QLabel* sum_;
    ColumnTable* cell_;
    ColumnTable* heads_;
    QWidget* numbers_;
};

/// The terms of one head's scores as small maps in a row below their sum; in a figure, beside their sum with
/// token labels. All maps share a colour scale and a cursor. Arrow keys move the cursor, Enter pins.
class ScoreTermMaps : public MapView {
    Q_OBJECT

  public:
    explicit ScoreTermMaps(QWidget* parent = nullptr);

    /// On the screen; a figure has all.
    void setAllShown(bool shown);
    bool isAllShown() const { return allShown_; }
    /// How many terms are shown only if all are.
    int furtherTerms() const;
    /// Where no map is, beside the sum.
    QRect room() const { return room_; }
    /// Above the sum.
    void setTitle(const QString& title);
    /// Null: nothing is shown.
    void setTerms(std::shared_ptr<const trace::ScoreTerms> terms, std::shared_ptr<const HeadTerms> shown);
    /// Text that is shown if there are no terms.
    void setWhyNothing(const QString& words);
    /// The row of the current step, and the highlighted cell of other views; the cursor takes precedence.
    void setMarks(std::optional<int> stepRow, std::optional<int> litRow, std::optional<int> litColumn);
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// How many rows and columns are named in `area`, after a space; empty if all are.
    QString namedInWords(const QRectF& area) const;

    std::size_t mapCount() const { return parts_.size(); }
    /// The area of a cell in one of the maps (the sum is last), in widget pixels.
    QRectF cellRect(std::size_t map, MapCell cell) const {
        return parts_.at(map).layout.cellRect(cell.row, cell.column);
    }

    int rowCount() const override;
    int columnCount() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;

  Q_SIGNALS:
    /// room() may have changed.
    void placed();

  protected:
    void paintStill(QPainter& painter, const Theme& theme) const override;
    void paintMoving(QPainter& painter, const Theme& theme) const override;
    TokenFocus focusAt(QPointF position) const override;
    Words wordsAt(QPointF position) const override;
    void pictureChanged() override;

  private:
    struct Part {
        QString title;
        const trace::Matrix* values = nullptr;
        const MatrixPyramid* pyramid = nullptr;
        QRectF area; ///< title and picture
        MapLayout layout;
        QString sign;          ///< before it
        bool labelled = false; ///< the sum has labels
        bool hasScale = false; ///< a colour bar beside it
    };
    std::vector<Part> layOut(const QRectF& area) const;
    std::vector<Part> layOutRow(const QRectF& area);
    bool isShown(std::size_t term) const;
    std::vector<QString> titles(double width) const;
    void place(Part& part, const QRectF& area) const;
    MapPicture picture(const Part& part, const Theme& theme) const;
    std::optional<MapCell> cellOfAny(QPointF point) const;
    void drawParts(QPainter& painter, const QRectF& area, const std::vector<Part>& parts,
                   const Theme& theme) const;
    void drawMarks(QPainter& painter, const Part& part, const MapMarks& marks, const Theme& theme) const;

    std::shared_ptr<const trace::ScoreTerms> terms_;
    std::shared_ptr<const HeadTerms> shown_; ///< null if terms_ is
    QString whyNothing_;
    std::vector<TokenLabel> labels_;
    std::optional<int> stepRow_;
    std::optional<int> litRow_;
    std::optional<int> litColumn_;
    bool allShown_ = false;
    QString title_;
    QRect room_;
    std::vector<Part> parts_; ///< for the widget's own area
};

} // namespace headscope::widgets
