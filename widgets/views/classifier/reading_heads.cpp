#include "widgets/views/classifier/reading_heads.h"

#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/words/card_words.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/plain_text.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr int smallMapWidth = 132;
constexpr int smallMapHeight = 88;
constexpr int besideSmallMap = 10;
constexpr std::chrono::milliseconds longestMaking(50);

} // namespace

ReadingHeads::ReadingHeads(Selection* selection, QWidget* parent) : QWidget(parent), selection_(selection) {
    setLayoutDirection(Qt::LeftToRight); // as numbers and steps run
    setAccessibleName(tr("Heads that read the token"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    connect(selection, &Selection::headChanged, this, qOverload<>(&QWidget::update));
}

void ReadingHeads::setHeads(std::shared_ptr<const trace::Run> run, const KnownStatistics& statistics,
                            std::optional<std::size_t> token) {
    if (run != run_) {
        maps_.clear();
        maps_.forgetTiles();
    }
    run_ = std::move(run);
    token_ = token;
    all_.clear();
    for (const auto& head : statistics&& token ? *statistics : analysis::StatisticsWhat::Value())
        if (const auto keys = head.uniform[analysis::Statistic::EffectiveKeys];
            head.head.site.kind == trace::AttentionKind::EncoderSelf && *token < head.received.size())
            all_.push_back({.address = head.head,
                            .weight = head.received[*token],
                            .uniform = keys && *keys > 0 ? 1 / *keys : 1.0});
    choose();
}

double ReadingHeads::itemWidth() const {
    double text = QFontMetricsF(font()).horizontalAdvance(tr("uniform %1").arg(QStringLiteral("00.0 %")));
    for (const Head& head : all_)
        text = std::max(text, QFontMetricsF(boldFont(font())).horizontalAdvance(address(head.address)));
    return smallMapWidth + besideSmallMap + std::ceil(text) + besideSmallMap;
}

void ReadingHeads::choose() {
    const std::size_t room = std::max(1.0, std::floor((width() + besideSmallMap) / itemWidth()));
    heads_ = all_;
    if (heads_.size() > room) {
        std::ranges::stable_sort(heads_, std::greater(), &Head::weight);
        heads_.resize(room);
    }
    QStringList words;
    for (const Head& head : heads_)
        words += inWords(head);
    describeForReaders(this, words.join(QStringLiteral("; ")));
    update();
}

std::vector<TileWhat> ReadingHeads::missingTiles() const {
    std::vector<trace::HeadAddress> wanted;
    for (const Head& head : heads_)
        wanted.push_back(head.address);
    std::vector<TileWhat> tiles;
    if (run_ && run_->complete)
        for (const auto& head : maps_.withoutTile(*run_, wanted))
            tiles.push_back({.run = run_, .head = head});
    return tiles;
}

void ReadingHeads::setTile(const trace::HeadAddress& head, MapTile tile) {
    maps_.setTile(head, std::move(tile));
    update();
}

QSize ReadingHeads::sizeHint() const {
    return QSizeF(itemWidth(), smallMapHeight + 4).toSize();
}

QSize ReadingHeads::minimumSizeHint() const {
    return {smallMapWidth, sizeHint().height()};
}

QRect ReadingHeads::mapArea(std::size_t place) const {
    const double wide = heads_.empty()
                            ? 0
                            : std::max(itemWidth(), std::floor((width() + besideSmallMap) /
                                                               static_cast<double>(heads_.size())));
    const int left =
        std::floor(static_cast<double>(place) * std::min(wide, itemWidth() + 3 * besideSmallMap));
    return {left + 2, 2, smallMapWidth, smallMapHeight};
}

QString ReadingHeads::inWords(const Head& head) const {
    return tr("%1 gives it %2 of its weight; uniform attention: %3")
        .arg(address(head.address), shareText(head.weight), shareText(head.uniform));
}

void ReadingHeads::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!run_ || !token_)
        return;
    const ThumbnailLook look{
        .side = {smallMapWidth, smallMapHeight}, .pixelRatio = devicePixelRatioF(), .theme = &theme};
    std::vector<trace::HeadAddress> wanted;
    for (const Head& head : heads_)
        wanted.push_back(head.address);
    maps_.makeSome(*run_, wanted, look, longestMaking);
    if (!maps_.hasAll(wanted, look) && missingTiles().empty())
        update();
    QFont large = fontOf(TextRole::Title, font());
    large.setBold(false);
    const double line = std::ceil(QFontMetricsF(font()).height() + 4);
    for (std::size_t place = 0; place < heads_.size(); ++place) {
        const Head& head = heads_[place];
        const QRect area = mapArea(place);
        painter.drawPixmap(area, maps_.picture(head.address, look));
        const bool isSelected = selection_->head() == head.address;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(isSelected ? theme.accent : theme.line, isSelected ? 2 : 1));
        painter.drawRect(area.adjusted(-1, -1, 0, 0));
        const auto keys = static_cast<double>(run_->source.size());
        const double column = static_cast<double>(*token_) * area.width() / keys;
        const double wide = std::max(4.0, area.width() / keys);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.focus, 2));
        painter.drawRoundedRect(QRectF(area.left() + column, area.top() - 1, wide, area.height() + 1), 2, 2);
        painter.setRenderHint(QPainter::Antialiasing, false);
        QRectF text(area.right() + besideSmallMap, area.top() + (area.height() - 3 * line) / 2,
                    itemWidth() - smallMapWidth - besideSmallMap, line);
        const auto write = [&](const QFont& used, const QColor& ink, const QString& words) {
            painter.setFont(used);
            painter.setPen(ink);
            painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, words);
            text.translate(0, line);
        };
        write(boldFont(font()), theme.text, address(head.address));
        write(large, theme.text, shareText(head.weight));
        write(font(), theme.faintText, tr("uniform %1").arg(shareText(head.uniform)));
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

std::optional<std::size_t> ReadingHeads::placeAt(QPoint position) const {
    for (std::size_t place = 0; place < heads_.size(); ++place) {
        const QRect area = mapArea(place);
        if (position.x() >= area.left() && position.x() < area.left() + itemWidth())
            return place;
    }
    return std::nullopt;
}

void ReadingHeads::resizeEvent(QResizeEvent*) {
    choose();
    Q_EMIT shownChanged();
}

void ReadingHeads::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        choose();
}

void ReadingHeads::mousePressEvent(QMouseEvent* event) {
    const auto place = placeAt(event->pos());
    if (place && event->button() == Qt::LeftButton)
        selection_->setHead(heads_[*place].address);
    else
        event->ignore();
}

void ReadingHeads::mouseDoubleClickEvent(QMouseEvent* event) {
    if (placeAt(event->pos()))
        Q_EMIT opened();
}

void ReadingHeads::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return Q_EMIT opened();
    if (by == 0 || heads_.empty())
        return event->ignore();
    const auto now = std::ranges::find(heads_, selection_->head(), &Head::address);
    const int last = std::ssize(heads_) - 1;
    const int next = now == heads_.end() ? 0 : std::clamp<int>(now - heads_.begin() + by, 0, last);
    selection_->setHead(heads_[next].address);
}

} // namespace headscope::widgets
