#pragma once

#include <QFont>
#include <QSize>
#include <QString>
#include <QStringList>

#include "widgets/drawing/token_label.h"
#include "widgets/figure_source.h"

#include <vector>

class QAbstractItemModel;
class QPainter;

namespace headscope::widgets {

struct HeadTableFigure;
struct Theme;

/// One column of a table of texts.
struct TextColumn {
    QString title;
    QStringList texts;    ///< one a row
    bool numbers = false; ///< at the right
    /// Instead of texts, where these are tokens.
    std::vector<TokenLabel> tokens = {};
};

/// A small table as a figure, drawn as the head table is.
struct TextTableFigure {
    std::vector<TextColumn> columns;
    QString caption;
    QFont font;
    bool spaceMarks = true;
    FigureParts parts = {};

    QSize size() const;
    void draw(QPainter& painter, QSize size, const Theme& theme) const;

  private:
    HeadTableFigure onPage(const QAbstractItemModel& table) const;
};

} // namespace headscope::widgets
