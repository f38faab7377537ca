#include "widgets/views/classifier/given_tokens_picture.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/captions.h"

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
    return size.toDouble() == 0 ? QStringLiteral("0")
                                : (contribution < 0 ? QChar(0x2212) : QChar('+')) + size;
}

} // namespace

GivenTokensPicture::GivenTokensPicture(std::vector<TokenLabel> labels,
                                       std::vector<analysis::TokenShare> shares, bool spaceMarks)
    : labels_(std::move(labels)), shares_(std::move(shares)), spaceMarks_(spaceMarks) {
    labels_.resize(std::min(labels_.size(), shares_.size()));
    for (const auto& share : shares_) {
        mostFeatures_ = std::max(mostFeatures_, share.features);
        largest_ = std::max(largest_, std::abs(share.contribution));
    }
}

/// Returns one rectangle per token, for its chip and bar, in lines.
std::vector<QRectF> GivenTokensPicture::flow(const QRectF& area, const QFont& font) const {
    const QFontMetricsF metrics(font);
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks_};
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

/// If not all tokens fit, reserves a line for the number of the others.
std::size_t GivenTokensPicture::fitting(const std::vector<QRectF>& places, const QRectF& area,
                                        const QFont& font) {
    const auto above = [&](double bottom) {
        const auto first =
            std::ranges::find_if(places, [&](const QRectF& place) { return place.bottom() > bottom + 0.5; });
        return first - places.begin();
    };
    const std::size_t all = above(area.bottom());
    return all == places.size() ? all : above(area.bottom() - std::ceil(QFontMetricsF(font).height()));
}

double GivenTokensPicture::heightFor(double width, const QFont& font) const {
    const auto places = flow(QRectF(0, 0, width, 1), font);
    return places.empty() ? 0 : places.back().bottom();
}

void GivenTokensPicture::draw(QPainter& painter, const QRectF& area, const QFont& font,
                              const Theme& theme) const {
    const TokenLabelStyle style{.font = font, .spaceMarks = spaceMarks_};
    const double line = std::ceil(style.lineHeight());
    const auto scale = ColourScale::diverging(largest_, theme.dark);
    const auto places = flow(area, font);
    const std::size_t shown = fitting(places, area, font);
    if (cutSaid_ && shown < places.size()) {
        painter.setFont(font);
        painter.setPen(theme.faintText);
        painter.drawText(area, Qt::AlignLeft | Qt::AlignBottom,
                         GivenTokensPictureWords::tr("Not shown in this picture: %n", nullptr,
                                                     static_cast<int>(places.size() - shown)));
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
        painter.fillRect(QRectF(all.left(), chip.bottom() + 2, share * all.width(), givenTokensBarHeight - 2),
                         theme.faintText);
        if (lit_ == static_cast<int>(token)) {
            painter.setPen(QPen(theme.focus, 2));
            painter.drawRect(chip);
        }
    }
}

QRectF GivenTokensPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const auto places = flow(area, font);
    const std::size_t token = mark.row;
    if (token >= fitting(places, area, font))
        return {};
    const QRectF& all = places[token];
    const double chip = all.height() - givenTokensBarHeight - 2;
    return mark.column == 0 ? QRectF(all.left(), all.top(), all.width(), chip)
                            : QRectF(all.left(), all.top() + chip + 2, all.width(), givenTokensBarHeight);
}

std::optional<MapCell> GivenTokensPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const auto places = flow(area, font);
    const std::size_t shown = fitting(places, area, font);
    for (std::size_t token = 0; token < shown; ++token)
        if (places[token].contains(point))
            return MapCell{static_cast<int>(token),
                           point.y() < places[token].bottom() - givenTokensBarHeight - 2 ? 0 : 1};
    return std::nullopt;
}

QString GivenTokensPicture::inWords(MapCell mark) const {
    const auto& share = shares_[mark.row];
    return GivenTokensPictureWords::tr(
               "%1 gave %n of the pooled features, with a contribution of %2 to the logit", nullptr,
               static_cast<int>(share.features))
        .arg(rowName(mark.row), numberText(share.contribution));
}

QString GivenTokensPicture::columnName(int column) const {
    return column == 0 ? GivenTokensPictureWords::tr("contribution to the logit")
                       : GivenTokensPictureWords::tr("features given");
}

} // namespace headscope::widgets
