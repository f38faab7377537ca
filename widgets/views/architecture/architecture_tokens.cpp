#include "widgets/views/architecture/architecture_tokens.h"

#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/class_title.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

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
QString answerInWords(const ArchitectureFacts& facts) {
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

} // namespace

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
        return drawWords(painter, layout.head, answerInWords(facts), theme);
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

} // namespace headscope::widgets
