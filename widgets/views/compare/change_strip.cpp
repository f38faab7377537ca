#include "widgets/views/compare/change_strip.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/matrix_image.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/tiles/head_tile.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/plain_text.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int leastTile = 84;
constexpr int tileGap = 8;

} // namespace

/// The difference of a head, with its name and its divergence below.
class ChangeTile : public QAbstractButton {
  public:
    explicit ChangeTile(QWidget* parent) : QAbstractButton(parent) {
        setCheckable(true);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
        setFocusPolicy(Qt::TabFocus);
        setObjectName(QStringLiteral("tile"));
    }

    void setChange(const analysis::HeadChange& change, std::size_t rank) {
        head_ = change.head;
        divergence_ = QString::number(change.divergence, 'f', 3);
        map_ = {};
        const QString name = address(change.head);
        setAccessibleName(name);
        setToolTip(plainToolTip(ChangeStrip::tr("%1: divergence %2, rank %3")
                                    .arg(name, numberText(change.divergence))
                                    .arg(rank)));
        update();
    }
    void setMap(ChangedMaps::Map map) {
        map_ = std::move(map);
        update();
    }
    const trace::HeadAddress& head() const { return head_; }

    QSize sizeHint() const override { return {leastTile, 40}; }

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = themeOf(palette());
        QPainter painter(this);
        const QFont small = smallFont(font());
        const int foot = std::ceil(QFontMetricsF(small).height()) + 4;
        const QRect cell = rect().adjusted(2, 2, -2, -foot);
        drawHeadTile(painter, {.cell = cell, .map = {.picture = picture(cell.size(), theme)}}, theme);
        if (isChecked() || hasFocus() || underMouse())
            drawTileFrame(painter, cell, isChecked() ? theme.accent : theme.focus, 2);
        const QRect line(cell.left(), cell.bottom() + 3, cell.width(), foot - 3);
        painter.setFont(isChecked() ? boldFont(small) : small);
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name());
        const QString both = name() + QStringLiteral("  ") + divergence_; // or in the tooltip alone
        if (painter.fontMetrics().horizontalAdvance(both) <= line.width())
            painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, divergence_);
    }
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

  private:
    QString name() const {
        const std::array kinds{ChangeStrip::tr("enc"), ChangeStrip::tr("dec"), ChangeStrip::tr("cross")};
        return kinds.at(static_cast<std::size_t>(head_.site.kind)) + ' ' + shortAddress(head_);
    }
    QPixmap picture(QSize side, const Theme& theme) const {
        if (map_.values.empty() || side.isEmpty())
            return {};
        const QRectF all(0, 0, static_cast<double>(map_.values.columns()),
                         static_cast<double>(map_.values.rows()));
        QPixmap made = QPixmap::fromImage(
            pooledImage(trace::view(map_.values), &map_.mask, all, side * devicePixelRatioF(),
                        ColourScale::diverging(std::max(map_.largest, leastComparedScale), theme.dark),
                        theme.hatch.rgb(), theme.background.rgb()));
        made.setDevicePixelRatio(devicePixelRatioF());
        return made;
    }

    trace::HeadAddress head_;
    QString divergence_;
    ChangedMaps::Map map_;
};

ChangeStrip::ChangeStrip(QWidget* parent)
    : QWidget(parent),
      subtitle_(new QLabel(tr("Jensen-Shannon divergence of the weights of aligned rows, B \u2212 A"), this)),
      all_(new QToolButton(this)), words_(new QLabel(this)), row_(new QHBoxLayout) {
    setAccessibleName(tr("Heads that changed most"));
    auto* title = new QLabel(tr("Heads that changed most"), this);
    title->setFont(boldFont(font()));
    all_->setAutoRaise(true);
    all_->setFocusPolicy(Qt::TabFocus);
    all_->setToolTip(tr("The table of all heads"));
    for (QLabel* faint : {subtitle_, words_})
        faint->setForegroundRole(QPalette::PlaceholderText);
    words_->setAlignment(Qt::AlignCenter);
    auto* head = new QHBoxLayout;
    head->setSpacing(tileGap);
    head->addWidget(title);
    head->addWidget(subtitle_, 1);
    head->addWidget(all_);
    row_->setSpacing(tileGap);
    row_->addWidget(words_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    column->addLayout(head);
    column->addLayout(row_, 1);
    connect(all_, &QToolButton::clicked, this, &ChangeStrip::allWanted);
    for (std::size_t i = 0; i < mostTiles; ++i) {
        auto* tile = new ChangeTile(this);
        tile->hide();
        row_->addWidget(tile, 1);
        tiles_.push_back(tile);
        connect(tile, &QAbstractButton::clicked, this, [this, tile] {
            tile->setChecked(true); // also if it was selected already
            Q_EMIT headChosen(tile->head());
        });
    }
    row_->addStretch(); // beside few tiles, which are no wider than many
    all_->hide();
}

void ChangeStrip::setChanges(const std::vector<analysis::HeadChange>& changes, std::size_t all) {
    shown_ = std::min(changes.size(), mostTiles);
    for (std::size_t i = 0; i < shown_; ++i)
        tiles_[i]->setChange(changes[i], i + 1);
    all_->setText(tr("all %1").arg(all));
    all_->setVisible(all > 0);
    fit();
}

void ChangeStrip::setMaps(const ChangedMaps::Value& maps) {
    for (std::size_t i = 0; i < std::min(shown_, maps.size()); ++i)
        tiles_[i]->setMap(maps[i]);
}

void ChangeStrip::setWords(const QString& words) {
    words_->setText(words);
}

void ChangeStrip::setSelected(const trace::HeadAddress& head) {
    for (auto* tile : tiles_)
        tile->setChecked(tile->head() == head);
}

std::vector<trace::HeadAddress> ChangeStrip::heads() const {
    std::vector<trace::HeadAddress> heads;
    for (const auto* tile : tiles_)
        if (!tile->isHidden())
            heads.push_back(tile->head());
    return heads;
}

void ChangeStrip::resizeEvent(QResizeEvent*) {
    fit();
}

/// As many as are not too narrow. A few are no wider than usual.
void ChangeStrip::fit() {
    const std::size_t room = std::max(1, (width() + tileGap) / (leastTile + tileGap));
    const int most = std::min(room, mostTiles);
    const int widest = std::max(leastTile, (width() + tileGap) / most - tileGap + 1);
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        tiles_[i]->setVisible(i < std::min(shown_, room));
        tiles_[i]->setMaximumWidth(widest);
    }
    words_->setVisible(shown_ == 0);
}

} // namespace headscope::widgets
