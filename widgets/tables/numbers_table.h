#pragma once

#include <QTableView>

#include "widgets/drawing/token_label.h"

#include <functional>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// One column of numbers.
struct NumberColumn {
    QString title;
    QString toolTip;
    std::vector<double> values;
    bool bars = false;       ///< under each number a signed bar, as long as its share of the largest
    double longest = 0;      ///< what fills a bar, where columns are compared; 0: the column's largest
    std::vector<bool> empty; ///< cells without a number, such as closed ones; empty: none
    bool whole = false;      ///< counts, which have no decimals
};

/// Four decimals, or of what is nearly zero three digits: "0.6142", "0.000894", "1.2e−07".
QString preciseText(double value);

/// What is selected in a table, or all of it, with the titles, separated by tabs, as spreadsheets take it.
/// `copied`: a cell as it is copied. `isLeftOut`: a column that is not; may be empty.
QString selectedText(const QTableView& table, const std::function<QString(const QModelIndex&)>& copied,
                     const std::function<bool(int)>& isLeftOut = {});

/// A table of numbers that are read with four decimals and copied with all they have: Ctrl+C copies what is
/// selected with its titles, separated by tabs, as spreadsheets take it.
class NumbersTable : public QTableView {
    Q_OBJECT

  public:
    explicit NumbersTable(QWidget* parent = nullptr);
    ~NumbersTable() override;

    enum class Names { Numbers, Tokens };

    /// The first column names the rows; tokens get all the room there is. `marked` is a row that stands out
    /// and is scrolled to.
    void setColumns(const QString& namesTitle, Names kind, std::vector<TokenLabel> names,
                    std::vector<NumberColumn> columns, std::optional<int> marked = std::nullopt);
    void setSpaceMarksShown(bool shown);
    /// Of all rows and the titles, so that nothing scrolls.
    int wholeHeight() const;
    /// With which no number and no name of usual length is cut, beside a scroll bar.
    int leastWidth() const;
    /// The selection, or all where nothing is selected.
    QString selectedText() const;

  protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    class Model;
    class Delegate;
    void fit();
    void fitColumns();
    void fitTokens();
    void giveNamesTheRest();
    int longestTextWidth(int column) const;
    void scrollToMarked();

    Names names_ = Names::Numbers;
    std::optional<int> marked_;
    int nameWidth_ = 0;    ///< that names need
    int numbersWidth_ = 0; ///< of all other columns
    Model* model_;
    Delegate* delegate_;
};

} // namespace headscope::widgets
