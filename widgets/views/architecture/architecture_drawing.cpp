#include "widgets/views/architecture/architecture_drawing.h"

#include "widgets/drawing/math_text.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/answer_words.h"
#include "widgets/words/captions.h"
#include "widgets/words/class_title.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double chipPadding = 6;
constexpr double architectureTokensGap = 6;

struct ArchitectureTokensWords {
    Q_DECLARE_TR_FUNCTIONS(Architecture)
};

/// A row of tokens; the last may be a chip.
class TokenRow {
  public:
    TokenRow(QPainter& painter, const std::vector<trace::Token>& tokens, bool spaceMarks, const Theme& theme)
        : painter_(painter),
          labels_(tokenLabels(tokens)), style_{.font = painter.font(), .spaceMarks = spaceMarks},
          theme_(theme) {}

    /// Draws as many tokens as fit, always including the last. "…" replaces the others: before the last
    /// token, or at the start if the row ends with a chip.
    void draw(const QRectF& area, std::size_t count, bool chip) {
        const double dots =
            QFontMetricsF(style_.font).horizontalAdvance(QStringLiteral("…")) + architectureTokensGap;
        double used = width(count - 1, chip);
        std::vector<std::size_t> shown{count - 1};
        for (std::size_t i = 0; i + 1 < count; ++i) {
            const std::size_t next = chip ? count - 2 - i : i;
            const double room = area.width() - used - (i + 2 < count ? dots : 0);
            if (width(next, false) > room)
                break;
            used += width(next, false);
            shown.push_back(next);
        }
        const bool all = shown.size() == count;
        std::ranges::sort(shown);
        double x = area.center().x() - (used + (all ? 0 : dots)) / 2;
        for (const std::size_t index : shown) {
            const bool gapBefore = index > 0 && std::ranges::find(shown, index - 1) == shown.end();
            if (gapBefore) {
                painter_.setPen(theme_.faintText);
                painter_.drawText(QRectF(x, area.top(), dots, area.height()),
                                  Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("…"));
                x += dots;
            }
            const bool isChip = chip && index + 1 == count;
            drawOne(QRectF(x, area.top(), width(index, isChip) - architectureTokensGap, area.height()), index,
                    isChip, chip && !isChip);
            x += width(index, isChip);
        }
    }

  private:
    double width(std::size_t index, bool chip) const {
        return style_.width(labels_.at(index)) + 2 + architectureTokensGap + (chip ? 2 * chipPadding : 0);
    }

    void drawOne(const QRectF& area, std::size_t index, bool chip, bool faint) {
        TokenInk ink = TokenInk::onBackground(theme_);
        if (faint)
            ink.text = theme_.faintText;
        QRectF words = area;
        if (chip) {
            painter_.setPen(QPen(theme_.stepMark, 2));
            painter_.setBrush(theme_.panel);
            painter_.drawRoundedRect(area.adjusted(1, 1, -1, -1), 4, 4);
            words.adjust(chipPadding, 0, -chipPadding, 0);
        }
        style_.draw(painter_, words, Qt::AlignHCenter, labels_.at(index), ink);
    }

    QPainter& painter_;
    std::vector<TokenLabel> labels_;
    TokenLabelStyle style_;
    const Theme& theme_;
};

void drawWords(QPainter& painter, const QRectF& area, const QString& words, const Theme& theme) {
    painter.setPen(theme.faintText);
    painter.drawText(area, Qt::AlignCenter, words);
}

/// The answer of a model without a decoder.
QString outputInWords(const ArchitectureFacts& facts) {
    if (facts.run && !facts.run->numbers.empty())
        return numbersInWords(*facts.run);
    if (facts.run && !facts.run->spanLogProbabilities.empty())
        return answerInWords(*facts.run);
    if (facts.model->classes == 0)
        return ArchitectureTokensWords::tr("the encoder's output");
    if (!facts.run || facts.run->classLogProbabilities.empty())
        return ArchitectureTokensWords::tr("log-probabilities of classes");
    const auto& values = facts.run->classLogProbabilities;
    const auto best = std::ranges::max_element(values);
    return ArchitectureTokensWords::tr("%1, probability %2")
        .arg(classTitle(*facts.model, best - values.begin()),
             numberText(std::exp(static_cast<double>(*best))));
}

/// Draws the input at the bottom of the columns and the output at the top: the sentence; the target up to the
/// token of the step; the token it chose, or the most probable class.
void drawArchitectureTokens(QPainter& painter, const ArchitectureLayout& layout,
                            const ArchitectureFacts& facts, bool spaceMarks, const Theme& theme) {
    const bool hasSource = facts.run && !facts.run->source.empty();
    const bool isDecoderAlone = facts.architecture.source.empty(); // its prompt is part of the target
    if (hasSource && !isDecoderAlone)
        TokenRow(painter, facts.run->source, spaceMarks, theme)
            .draw(layout.sourceFoot, facts.run->source.size(), false);
    else if (!isDecoderAlone)
        drawWords(painter, layout.sourceFoot,
                  facts.model->sourceVocabulary > 0 ? ArchitectureTokensWords::tr("source tokens")
                                                    : ArchitectureTokensWords::tr("source vectors"),
                  theme);
    if (facts.architecture.target.empty())
        return drawWords(painter, layout.head, outputInWords(facts), theme);
    const auto row = facts.shownRow();
    if (!row) {
        drawWords(painter, layout.targetFoot, ArchitectureTokensWords::tr("target tokens so far"), theme);
        drawWords(painter, layout.head, ArchitectureTokensWords::tr("log-probabilities of the next token"),
                  theme);
        return;
    }
    TokenRow(painter, facts.run->target, spaceMarks, theme).draw(layout.targetFoot, *row + 1, true);
    TokenRow(painter, {facts.run->next[*row]}, spaceMarks, theme).draw(layout.head, 1, true);
}

using analysis::BlockKind;
using LineKind = ArchitectureLine::Kind;

/// Blocks of a kind share a colour, as in the well-known figure; their titles differ too.
QColor colourOf(BlockKind kind, const Theme& theme) {
    const auto& colours = categoryColours(theme);
    switch (kind) {
    case BlockKind::SelfAttention:
    case BlockKind::CrossAttention:
    case BlockKind::Scores:
    case BlockKind::WeightedSum:
        return colours[1];
    case BlockKind::FeedForward:
    case BlockKind::Activation:
        return colours[0];
    case BlockKind::Norm:
        return colours[5];
    case BlockKind::Embedding:
        return colours[3];
    case BlockKind::Softmax:
    case BlockKind::LogSoftmax:
    case BlockKind::MaxPooling:
    case BlockKind::Router:
        return colours[2];
    case BlockKind::Projections:
    case BlockKind::OutputProjection:
    case BlockKind::Widen:
    case BlockKind::Narrow:
    case BlockKind::Generator:
    case BlockKind::Classifier:
        return colours[6];
    default:
        return theme.faintText;
    }
}

QColor tinted(const QColor& ground, const QColor& colour, double share) {
    const auto mix = [share](double a, double b) { return a + (b - a) * share; };
    return QColor::fromRgbF(static_cast<float>(mix(ground.redF(), colour.redF())),
                            static_cast<float>(mix(ground.greenF(), colour.greenF())),
                            static_cast<float>(mix(ground.blueF(), colour.blueF())));
}

QColor fillOf(const ArchitectureBox& box, const Theme& theme) {
    if (box.unfolded)
        return tinted(theme.background, theme.faintText, box.depth % 2 == 0 ? 0.05 : 0.0);
    if (box.block->kind == BlockKind::Stack || box.block->kind == BlockKind::Layer)
        return theme.panel;
    if (box.block->kind == BlockKind::Add || box.block->kind == BlockKind::Positions)
        return theme.background;
    return tinted(theme.background, colourOf(box.block->kind, theme), theme.dark ? 0.24 : 0.16);
}

/// Lit are the column of the step and, if cross-attention reads the source, the other column.
bool isLit(const ArchitectureLine& line, const ArchitectureFacts& facts) {
    if (line.kind == LineKind::Tie || !facts.shownRow() || facts.isOff(line.part) ||
        facts.isNotHeld(line.part))
        return false;
    if (line.kind == LineKind::Memory)
        return facts.readsSource(*line.reader);
    return line.side == analysis::Side::Target || facts.readsSource();
}

void drawHead(QPainter& painter, const QPointF& from, const QPointF& to, const QColor& colour) {
    constexpr double length = 8;
    constexpr double half = 3.5;
    const QPointF way = to - from;
    const double size = std::hypot(way.x(), way.y());
    if (size == 0)
        return;
    const QPointF along = way / size;
    const QPointF across(-along.y(), along.x());
    const QPointF base = to - along * length;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({to, base + across * half, base - across * half}));
}

/// A line with rounded corners.
QPainterPath roundedPath(const QPolygonF& points) {
    constexpr double radius = 7;
    QPainterPath path(points.front());
    for (qsizetype i = 1; i + 1 < points.size(); ++i) {
        const auto towards = [&](const QPointF& other) {
            const QPointF way = other - points[i];
            const double size = std::max(1e-9, std::hypot(way.x(), way.y()));
            return points[i] + way * std::min(radius / size, 0.5);
        };
        path.lineTo(towards(points[i - 1]));
        path.quadTo(points[i], towards(points[i + 1]));
    }
    path.lineTo(points.back());
    return path;
}

void drawLine(QPainter& painter, const ArchitectureLine& line, bool lit, const Theme& theme) {
    const QColor colour = lit ? theme.stepMark : theme.faintText;
    QPen pen(colour, lit ? 2 : 1.25);
    pen.setCapStyle(Qt::FlatCap);
    if (line.kind == LineKind::Tie)
        pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    QPolygonF points = line.points;
    const QPointF end = points.back();
    const QPointF before = points[points.size() - 2];
    if (line.head) { // keeps the line from showing beside the arrowhead
        const QPointF way = end - before;
        points.back() = end - way * std::min(0.5, 6 / std::max(1e-9, std::hypot(way.x(), way.y())));
    }
    painter.drawPath(roundedPath(points));
    if (line.head)
        drawHead(painter, before, end, colour);
}

void drawLabel(QPainter& painter, const ArchitectureLine& line, const Theme& theme) {
    painter.setPen(theme.faintText);
    QRectF area = line.labelArea;
    if (line.upright) {
        painter.save();
        painter.translate(area.center());
        painter.rotate(-90);
        const double high = area.width() / static_cast<double>(line.label.size());
        QRectF words(-area.height() / 2, -area.width() / 2, area.height(), high);
        for (const QString& each : line.label) {
            drawMath(painter, words, line.alignment, each);
            words.translate(0, high);
        }
        painter.restore();
        return;
    }
    area.setHeight(area.height() / static_cast<double>(std::max<qsizetype>(1, line.label.size())));
    for (const QString& words : line.label) {
        drawMath(painter, area, line.alignment, words);
        area.translate(0, area.height());
    }
}

void drawSign(QPainter& painter, const ArchitectureBox& box, const Theme& theme) {
    const QRectF sign = foldSign(box);
    if (sign.isEmpty())
        return;
    painter.setPen(QPen(theme.faintText, 1));
    painter.setBrush(theme.background);
    painter.drawRoundedRect(sign, 2, 2);
    painter.setPen(QPen(theme.text, 1.5));
    const double reach = sign.width() / 2 - 3;
    painter.drawLine(sign.center() - QPointF(reach, 0), sign.center() + QPointF(reach, 0));
    if (!box.unfolded)
        painter.drawLine(sign.center() - QPointF(0, reach), sign.center() + QPointF(0, reach));
}

/// A folded stack is drawn as up to three cards behind each other.
void drawCards(QPainter& painter, const ArchitectureBox& box, const Theme& theme) {
    const auto layers = std::ranges::count_if(
        box.block->children, [](const auto& child) { return child.kind == BlockKind::Layer; });
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(fillOf(box, theme));
    for (auto card = std::min<std::ptrdiff_t>(layers, 3) - 1; card > 0; --card)
        painter.drawRoundedRect(box.area.translated(3.0 * double(card), -3.0 * double(card)), 4, 4);
}

void drawBox(QPainter& painter, const ArchitectureBox& box, const ArchitectureFacts& facts, const QPen& pen,
             const Theme& theme) {
    if (box.block->kind == BlockKind::Stack && !box.unfolded)
        drawCards(painter, box, theme);
    painter.setPen(pen);
    painter.setBrush(fillOf(box, theme));
    if (box.block->kind == BlockKind::Add) {
        painter.drawEllipse(box.area);
        const double reach = box.area.width() * 0.28;
        const QPointF centre = box.area.center();
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawLine(centre - QPointF(reach, 0), centre + QPointF(reach, 0));
        painter.drawLine(centre - QPointF(0, reach), centre + QPointF(0, reach));
        return;
    }
    painter.drawRoundedRect(box.area, box.unfolded ? 6 : 4, box.unfolded ? 6 : 4);
    painter.setPen(theme.text);
    const QRectF sign = foldSign(box);
    if (box.unfolded)
        drawMath(painter, box.title.adjusted(sign.width() + 8, 0, 0, 0), Qt::AlignLeft,
                 blockTitle(facts, *box.block));
    else
        drawMath(painter, box.title, Qt::AlignHCenter, blockTitle(facts, *box.block));
    drawSign(painter, box, theme);
}

} // namespace

QRectF foldSign(const ArchitectureBox& box) {
    if (box.block->children.empty())
        return {};
    const double size = std::clamp(box.title.height() - 14, 11.0, 22.0);
    return {box.title.left() + (box.unfolded ? 1 : 8), box.title.center().y() - size / 2, size, size};
}

ArchitectureText architectureText(const ArchitectureFacts& facts, const QFont& font, ShapeLabels labels) {
    return {.title = [&facts](const auto& block) { return blockTitle(facts, block); },
            .tensor =
                [&facts, labels](const auto& tensor) {
                    const QStringList whole{tensorInWords(facts, tensor)};
                    return labels == ShapeLabels::OneLine ? whole : inTwoLines(whole);
                },
            .tie = QCoreApplication::translate("Architecture", "tied weights"),
            .width = [font](const QString& words) { return mathWidth(font, words); },
            .lineHeight = QFontMetricsF(font).height()};
}

void drawArchitecture(QPainter& painter, const ArchitectureLayout& layout, const ArchitectureFacts& facts,
                      const ArchitectureMarks& marks, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing);
    const auto penOf = [&](std::size_t place) {
        const ArchitectureBox& box = layout.boxes[place];
        const bool isAbsent = facts.isOff(box.part) || facts.isNotHeld(*box.block);
        return marks.current == place   ? QPen(theme.focus, 3)
               : marks.hovered == place ? QPen(theme.focus, 1.5)
               : isAbsent               ? QPen(theme.faintText, 1.25, Qt::DashLine)
               : box.unfolded           ? QPen(theme.line, 1)
                                        : QPen(colourOf(box.block->kind, theme), 1.25);
    };
    // Frames below lines below blocks.
    for (std::size_t i = 0; i < layout.boxes.size(); ++i)
        if (layout.boxes[i].unfolded)
            drawBox(painter, layout.boxes[i], facts, penOf(i), theme);
    for (const bool lit : {false, true})
        for (const auto& line : layout.lines)
            if (isLit(line, facts) == lit)
                drawLine(painter, line, lit, theme);
    for (std::size_t i = 0; i < layout.boxes.size(); ++i)
        if (!layout.boxes[i].unfolded)
            drawBox(painter, layout.boxes[i], facts, penOf(i), theme);
    for (const auto& line : layout.lines)
        if (!line.label.isEmpty())
            drawLabel(painter, line, theme);
    drawArchitectureTokens(painter, layout, facts, marks.spaceMarks, theme);
}

} // namespace headscope::widgets
