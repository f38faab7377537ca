#pragma once

#include <QFont>
#include <QRectF>
#include <QSize>
#include <QString>

class QPainter;

namespace headscope::widgets {

class CandidatesModel;
struct Theme;

/// The table of the best next tokens, drawn for a page: rank, piece, probability, sum and a bar; what was
/// chosen has a dot and a ground of its own. Looks at a model that somebody else keeps alive.
struct CandidatesFigure {
    const CandidatesModel& model;
    QString heading;
    QString caption; ///< empty: none
    QFont font;
    bool spaceMarks = true;
    /// Columns are at least so wide: those of other steps stand where these do.
    struct Widths {
        double piece = 0;
        double sum = 0;
    };
    Widths least = {};
    /// What pieces and sums need.
    Widths widths() const;

    static constexpr int usualWidth = 560;
    /// About `wide`, and as high as all rows need; in units of 1/96 inch.
    QSize size(int wide = usualWidth) const;
    /// Rows move together where `area` is lower than that.
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

  private:
    struct Columns {
        QRectF rank;
        QRectF piece;
        QRectF probability;
        QRectF sum; ///< empty for classes, which have none
        QRectF bar;
    };
    QString shownAt(int row, int column) const;
    double rowHeight() const;
    double wordsHeight(double width, const QString& words) const;
    /// With the distance to the rows.
    double captionHeight(double width) const;
    double headingHeight(double width) const;
    /// In one row.
    Columns columns(const QRectF& row) const;
    void drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const;
    void drawRow(QPainter& painter, const QRectF& row, int index, const Theme& theme) const;
};

} // namespace headscope::widgets
