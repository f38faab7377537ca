#include "widgets/views/classifier/classifier_pictures.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/table_column.h"
#include "widgets/words/captions.h"
#include "widgets/words/class_title.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct GivenTokensPictureWords {
    Q_DECLARE_TR_FUNCTIONS(GivenTokensPicture)
};

constexpr double between = 4;
constexpr double givenTokensBarHeight = 8;

/// Two decimals suffice for comparison; inWords() has more.
QString contributionText(double contribution) {
    const QString size = QString::number(std::abs(contribution), 'f', 2);
    return size.toDouble() == 0 ? QStringLiteral("0") : shownNumber((contribution < 0 ? '-' : '+') + size);
}

/// The tokens that a classifier read, in lines. Each is shaded by its contribution to the logit of a class,
/// which is written below it, and has a bar for the number of pooled features it gave. A last line counts the
/// tokens that do not fit.
class GivenTokensPicture : public PlotPicture {
  public:
    /// `labels` and `shares` have one entry per token, in reading order.
    GivenTokensPicture(std::vector<TokenLabel> labels, std::vector<analysis::TokenShare> shares,
                       const GivenTokens& how)
        : labels_(std::move(labels)), shares_(std::move(shares)), how_(how) {
        labels_.resize(std::min(labels_.size(), shares_.size()));
        for (const auto& share : shares_) {
            mostFeatures_ = std::max(mostFeatures_, share.features);
            largest_ = std::max(largest_, std::abs(share.contribution));
        }
    }

    int rows() const override { return labels_.size(); }
    /// Contribution, and features given.
    int columns() const override { return 2; }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override {
        const TokenLabelStyle style{.font = font, .spaceMarks = how_.spaceMarks};
        const double line = std::ceil(style.lineHeight());
        const auto scale = ColourScale::diverging(largest_, theme.dark);
        const auto places = flow(area, font);
        const std::size_t shown = fitting(places, area, font);
        if (how_.isCutSaid && shown < places.size()) {
            painter.setFont(font);
            painter.setPen(theme.faintText);
            painter.drawText(
                area, Qt::AlignLeft | Qt::AlignBottom,
                GivenTokensPictureWords::tr("Not shown in this picture: %n", nullptr, places.size() - shown));
        }
        for (std::size_t token = 0; token < shown; ++token) {
            const QRectF& all = places[token];
            const QRectF chip(all.left(), all.top(), all.width(), 2 * line + 4);
            const QColor ground(scale.colour(shares_[token].contribution));
            const QColor text = readableOn(ground);
            painter.fillRect(chip, ground);
            painter.setPen(theme.line);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(chip.adjusted(0.5, 0.5, -0.5, -0.5));
            style.draw(painter, QRectF(chip.left() + 6, chip.top() + 2, chip.width() - 12, line),
                       Qt::AlignHCenter, labels_[token], TokenInk::on(ground, text));
            painter.setFont(font);
            painter.setPen(text);
            painter.drawText(QRectF(chip.left(), chip.top() + 2 + line, chip.width(), line), Qt::AlignCenter,
                             contributionText(shares_[token].contribution));
            const double share =
                static_cast<double>(shares_[token].features) / static_cast<double>(mostFeatures_);
            painter.fillRect(
                QRectF(all.left(), chip.bottom() + 2, share * all.width(), givenTokensBarHeight - 2),
                theme.faintText);
            if (how_.lit == static_cast<int>(token)) {
                painter.setPen(QPen(theme.focus, 2));
                painter.drawRect(chip);
            }
        }
    }

    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override {
        const auto places = flow(area, font);
        const std::size_t token = mark.row;
        if (token >= fitting(places, area, font))
            return {};
        const QRectF& all = places[token];
        const double chip = all.height() - givenTokensBarHeight - 2;
        return mark.column == 0 ? QRectF(all.left(), all.top(), all.width(), chip)
                                : QRectF(all.left(), all.top() + chip + 2, all.width(), givenTokensBarHeight);
    }

    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override {
        const auto places = flow(area, font);
        const std::size_t shown = fitting(places, area, font);
        for (std::size_t token = 0; token < shown; ++token)
            if (places[token].contains(point))
                return MapCell{static_cast<int>(token),
                               point.y() < places[token].bottom() - givenTokensBarHeight - 2 ? 0 : 1};
        return std::nullopt;
    }

    QString inWords(MapCell mark) const override {
        const auto& share = shares_[mark.row];
        return GivenTokensPictureWords::tr(
                   "%1 gave %n of the pooled features, with a contribution of %2 to the logit", nullptr,
                   share.features)
            .arg(rowName(mark.row), numberText(share.contribution));
    }

    QString rowName(int row) const override { return quoted(labels_[row]); }
    QString columnName(int column) const override {
        return column == 0 ? GivenTokensPictureWords::tr("contribution to the logit")
                           : GivenTokensPictureWords::tr("features given");
    }

    /// Height needed for all tokens.
    double heightFor(double width, const QFont& font) const {
        const auto places = flow(QRectF(0, 0, width, 1), font);
        return places.empty() ? 0 : places.back().bottom();
    }

  private:
    /// Returns one rectangle per token, for its chip and bar, in lines.
    std::vector<QRectF> flow(const QRectF& area, const QFont& font) const {
        const QFontMetricsF metrics(font);
        const TokenLabelStyle style{.font = font, .spaceMarks = how_.spaceMarks};
        const double height = 2 * std::ceil(metrics.height()) + givenTokensBarHeight + 6;
        const double least = metrics.horizontalAdvance(QStringLiteral("+0.00"));
        std::vector<QRectF> places;
        QPointF at = area.topLeft();
        for (const auto& label : labels_) {
            const double wide = std::min(std::max(least, style.width(label)) + 12, area.width());
            if (at.x() > area.left() && at.x() + wide > area.right())
                at = {area.left(), at.y() + height + between};
            places.emplace_back(at, QSizeF(wide, height));
            at.rx() += wide + between;
        }
        return places;
    }

    /// Number of tokens that are drawn, from the first.
    /// If not all tokens fit, reserves a line for the number of the others.
    static std::size_t fitting(const std::vector<QRectF>& places, const QRectF& area, const QFont& font) {
        const auto above = [&](double bottom) {
            const auto first = std::ranges::find_if(
                places, [&](const QRectF& place) { return place.bottom() > bottom + 0.5; });
            return first - places.begin();
        };
        const std::size_t all = above(area.bottom());
        return all == places.size() ? all : above(area.bottom() - std::ceil(QFontMetricsF(font).height()));
    }

    std::vector<TokenLabel> labels_;
    std::vector<analysis::TokenShare> shares_;
    GivenTokens how_;
    std::size_t mostFeatures_ = 1;
    double largest_ = 0; ///< largest absolute contribution
};

} // namespace

std::shared_ptr<BarsPicture> classBars(const ReadClass& shown) {
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < shown.reading.logits.size(); ++i) {
        const double probability = std::exp(shown.reading.logProbabilities[i]);
        const QString name = classTitle(*shown.run.model, i);
        const QString number = GivenTokensPictureWords::tr("%1, logit %2")
                                   .arg(preciseText(probability), numberText(shown.reading.logits[i]));
        bars.push_back({.name = {.text = name},
                        .value = probability,
                        .number = number,
                        .words = GivenTokensPictureWords::tr("%1: probability %2").arg(name, number)});
    }
    auto picture = std::make_shared<BarsPicture>(std::move(bars), 1, false,
                                                 QStringList(GivenTokensPictureWords::tr("probability")));
    picture->setLit(shown.chosen);
    return picture;
}

std::shared_ptr<BarsPicture> lossBars(const ReadClass& shown, const std::vector<analysis::WordEffect>& words,
                                      bool areProbabilities) {
    std::vector<Bar> bars;
    double largest = 0;
    for (const auto& word : words) {
        const TokenLabel name = shown.wordName(word);
        const double lost = areProbabilities ? word.probabilityLost : word.logProbabilityLost;
        largest = std::max(largest, std::abs(lost));
        bars.push_back({.name = name,
                        .value = lost,
                        .number = numberText(lost),
                        .words = GivenTokensPictureWords::tr(
                                     "Without %1: %2 has probability %3; log-probability lost %4")
                                     .arg(quoted(name), shown.name(), numberText(word.probabilityWithout),
                                          numberText(word.logProbabilityLost))});
    }
    return std::make_shared<BarsPicture>(
        std::move(bars), largest, true,
        QStringList(areProbabilities ? GivenTokensPictureWords::tr("probability lost")
                                     : GivenTokensPictureWords::tr("log-probability lost")));
}

FigureBlock givenTokensBlock(const ReadClass& shown, const GivenTokens& how, const QFont& font) {
    const auto tokens = std::make_shared<GivenTokensPicture>(
        tokenLabels(shown.run.source), analysis::tokenShares(shown.reading, shown.chosen), how);
    auto block = plotBlock(
        tokens, font, [tokens, font](double width) { return QSizeF(width, tokens->heightFor(width, font)); });
    block.grows = false;
    return block;
}

} // namespace headscope::widgets
