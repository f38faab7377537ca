#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include "model/analysis/compare/run_comparison.h"

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// Two strips of bars, one bar a step: the divergence of the changed distribution from the undisturbed one,
/// and how the probability of the token that was chosen changed. Looks at steps that somebody else keeps.
struct StepBars {
    const std::vector<analysis::StepComparison>& steps;
    QRectF area;
    QFont font;
    double widest = 28;                      ///< of a bar, as far as there is room
    std::optional<std::size_t> decoded = {}; ///< steps that a film has come to; nothing: all

    /// Where a step's bars stand, both strips and the space between.
    QRectF stepRect(int step) const;
    void draw(QPainter& painter, const Theme& theme) const;
    /// Around the bars of a step that there is.
    void drawMark(QPainter& painter, int step, const Theme& theme) const;

  private:
    struct Strips {
        QRectF divergence;
        QRectF probability;
    };
    Strips strips() const;
    double lineHeight() const;
    int shownSteps() const;
    void drawTitle(QPainter& painter, const QRectF& strip, const QString& title, const Theme& theme) const;
    void drawDivergence(QPainter& painter, const QRectF& strip, const Theme& theme) const;
    void drawProbability(QPainter& painter, const QRectF& strip, const Theme& theme) const;
};

} // namespace headscope::widgets
