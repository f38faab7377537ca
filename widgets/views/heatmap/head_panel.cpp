#include "widgets/views/heatmap/head_panel.h"

#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/heatmap_view.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/plain_text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

HeadPanel::HeadPanel(Selection* selection, QWidget* parent)
    : QFrame(parent), selection_(selection), name_(new QToolButton(this)), value_(new QLabel(this)),
      unpin_(new QToolButton(this)), wordsRoom_(new QWidget(this)), words_(wrappedLabel(wordsRoom_)),
      map_(new HeatmapView(selection, this)) {
    setFrameShape(QFrame::Box);
    setLineWidth(2);
    map_->setBrief(true);
    name_->setAutoRaise(true);
    value_->setTextFormat(Qt::PlainText);
    value_->setAccessibleName(tr("Value of the cell"));
    value_->setToolTip(tr("This head's value in the highlighted cell"));
    unpin_->setAutoRaise(true);
    unpin_->setText(QStringLiteral("\u00D7"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(space::xs, space::xs, space::xs, 0);
    row->addWidget(name_);
    row->addStretch(1);
    row->addWidget(value_);
    row->addWidget(unpin_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    words_->setContentsMargins(space::s, 0, space::s, 0);
    words_->setAlignment(Qt::AlignTop);
    auto* room = new QVBoxLayout(wordsRoom_);
    room->setContentsMargins(0, 0, 0, 0);
    room->addWidget(words_);
    room->addStretch();
    column->addWidget(wordsRoom_);
    column->addWidget(map_, 1);
    connect(name_, &QToolButton::clicked, this, [this] { selection_->setHead(map_->head()); });
    connect(unpin_, &QToolButton::clicked, this, [this] {
        if (selection_->pinOf(map_->head()))
            selection_->togglePinnedHead(map_->head());
    });
    connect(map_, &HeatmapView::cellDescribed, this, &HeadPanel::showValue);
    connect(selection_, &Selection::headChanged, this, &HeadPanel::markSelected);
}

QString HeadPanel::title() const {
    const QString name = address(map_->head());
    return pin_ ? QStringLiteral("%1  %2").arg(*pin_).arg(name) : name;
}

/// Its picture takes a while, so it is made again only where it is another.
void HeadPanel::setRun(std::shared_ptr<const trace::Run> run) {
    if (std::exchange(run_, run) != run)
        map_->setRun(run);
}

void HeadPanel::setHead(trace::HeadAddress head, std::optional<int> pin) {
    pin_ = pin;
    const QString name = address(head);
    setAccessibleName(tr("Panel of %1").arg(name));
    map_->setAccessibleName(tr("Attention map of %1").arg(name));
    if (std::exchange(head_, head) != head)
        map_->setFixedHead(head);
    name_->setText(title());
    name_->setToolTip(pin ? tr("Pinned as number %1: select this head").arg(*pin) : tr("The selected head"));
    name_->setAccessibleName(tr("Select %1").arg(name));
    unpin_->setVisible(pin.has_value());
    unpin_->setToolTip(tr("Unpin %1").arg(name));
    unpin_->setAccessibleName(unpin_->toolTip());
    markSelected();
    showValue();
}

void HeadPanel::setWords(const QString& brief, const QString& whole) {
    words_->setText(brief);
    words_->setAccessibleName(whole);
    words_->setToolTip(plainToolTip(whole));
}

int HeadPanel::wordsNeed(int width) const {
    return std::min(words_->heightForWidth(width - 2 * frameWidth()), words_->maximumHeight());
}

void HeadPanel::setWordsRoom(int height) {
    wordsRoom_->setMinimumHeight(height);
    layout()->activate(); // else the map below is one turn of the loop behind those beside it
}

void HeadPanel::showValue() {
    const auto cell = map_->cursorCell();
    const auto& shown = map_->shownMap();
    QString value;
    if (cell && cell->row < map_->rowCount() && cell->column < map_->columnCount()) {
        const auto row = static_cast<std::size_t>(cell->row);
        const auto column = static_cast<std::size_t>(cell->column);
        value = shown.mask(row, column) == 0 ? tr("masked") : numberText(shown.values(row, column));
    }
    value_->setText(value);
}

/// By its frame, and by words that readers and people who see no colours have.
void HeadPanel::markSelected() {
    const Theme& theme = themeOf(palette());
    theme_ = &theme;
    const bool isSelected = head_ && selection_->head() == *head_;
    QPalette own;
    own.setColor(QPalette::WindowText, isSelected ? theme.accent : theme.line);
    setPalette(own);
    QPalette text;
    text.setColor(QPalette::WindowText, theme.text);
    value_->setPalette(text);
    text.setColor(QPalette::WindowText, theme.faintText);
    words_->setPalette(text);
    // A few lines at most leave room for the map; all is in the tooltip.
    words_->setMaximumHeight(4 * words_->fontMetrics().lineSpacing());
    QFont font = name_->font();
    font.setBold(isSelected);
    name_->setFont(font);
}

void HeadPanel::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange ||
        (event->type() == QEvent::PaletteChange && theme_ != &themeOf(palette())))
        markSelected();
}

} // namespace headscope::widgets
