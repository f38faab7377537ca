#pragma once

#include "widgets/selection.h"
#include "widgets/tables/known_heads.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace headscope::widgets {

/// A number of a head: in words and, if it has a range, as a share of it.
struct HeadNumber {
    QString name;
    QString value;
    std::optional<double> share;   ///< 0 to 1, for a bar
    std::optional<double> uniform; ///< share that uniform attention has
    QString tip;
};

/// The selected head in a few lines: its role and how many heads share it, its main numbers beside those of
/// uniform attention, and buttons to switch it off and to pin it.
class HeadCard : public View {
    Q_OBJECT

  public:
    /// `selection` outlives the view.
    explicit HeadCard(Selection* selection, QWidget* parent = nullptr);

    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    QString note() const override;
    /// Empty if nothing is known of the head.
    const std::vector<HeadNumber>& numbers() const { return numbers_; }

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return !numbers_.empty(); }
    trace::FigureData figureData() const override;
    QString whyEmpty() const override;

  protected:
    void changeEvent(QEvent* event) override;

  private:
    const analysis::HeadStatistics* statistics() const;
    void showHead();
    void showRole();
    void showSharing();
    void showState();
    static FigureBlock blockOf(const std::vector<HeadNumber>& numbers, const QFont& font);

    Selection* selection_;
    KnownStatistics statistics_;
    ShownScores scores_;
    std::vector<HeadNumber> numbers_;
    std::optional<HeadNumber> importance_; ///< if it was measured; figures have none
    QLabel* role_;
    QLabel* others_;
    QLabel* shared_; ///< what the head shares keys and values with, or reads between two texts
    QWidget* bars_;
    QPushButton* off_;
    QPushButton* pin_;
};

} // namespace headscope::widgets
