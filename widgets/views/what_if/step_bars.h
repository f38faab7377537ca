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

/// Two strips with one bar per step or mask: the divergence of the changed distribution from the original
/// one, and the change in probability of the chosen token. For classes, which share one divergence, the
/// second strip alone. `steps` must outlive this object.
struct StepBars {
    const std::vector<analysis::StepComparison>& steps;
    analysis::Compared compared = analysis::Compared::Steps;
    QRectF area;
    QFont font;
    double widest = 28;                      ///< largest width of a bar
    std::optional<std::size_t> decoded = {}; ///< steps that an animation has reached; nullopt: all

    /// The area of a step, covering both strips and the space between them.
    QRectF stepRect(int step) const;
    void draw(QPainter& painter, const Theme& theme) const;
    /// Frames the bars of an existing step.
    void drawMark(QPainter& painter, int step, const Theme& theme) const;

  private:
    struct Strips {
        QRectF divergence;
        QRectF probability;
    };
    /// There is nothing to say of a class or number but how it changes.
    bool isOneStrip() const {
        return compared == analysis::Compared::Classes || compared == analysis::Compared::Numbers;
    }
    Strips strips() const;
    double lineHeight() const;
    int shownSteps() const;
    void drawTitle(QPainter& painter, const QRectF& strip, const QString& title, const Theme& theme) const;
    void drawDivergence(QPainter& painter, const QRectF& strip, const Theme& theme) const;
    void drawProbability(QPainter& painter, const QRectF& strip, const Theme& theme) const;
};

} // namespace headscope::widgets
