#include "widgets/lens_view.h"

#include "widgets/captions.h"
#include "widgets/lens_grid.h"
#include "widgets/lens_picture.h"
#include "widgets/lens_words.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double margin = 12;
constexpr double legendWidth = 300;
constexpr int enoughForWords = 380; ///< lower, and the caption has one line

/// The legend beside the choice.
class Legend : public QWidget {
  public:
    Legend(const QComboBox* tints, QWidget* parent) : QWidget(parent), tints_(tints) {
        setMinimumWidth(80);
        setMaximumWidth(static_cast<int>(legendWidth) * 2);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override { return {static_cast<int>(legendWidth), fontMetrics().height() + 4}; }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        drawLensLegend(painter, QRectF(rect()), tints_->currentData().value<LensTint>(), font(),
                       themeOf(palette()));
    }

  private:
    const QComboBox* tints_;
};

} // namespace

LensView::LensView(Selection* selection, QWidget* parent)
    : QWidget(parent), grid_(new LensGrid(selection, this)), choices_(new QWidget(this)),
      tints_(new QComboBox(choices_)), legend_(new Legend(tints_, choices_)), caption_(new QLabel(this)) {
    setAccessibleName(tr("Logit lens"));
    setFocusProxy(grid_);
    for (const LensTint tint : lensTints)
        tints_->addItem(lensTintTitle(tint), QVariant::fromValue(tint));
    tints_->setAccessibleName(tr("What the cells are tinted by"));
    tints_->setToolTip(tr("What the cells are tinted by; the stronger, the nearer to what the model says"));
    tints_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    tints_->setMinimumContentsLength(12);
    tints_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    tints_->setMaximumWidth(tints_->fontMetrics().averageCharWidth() * 48);
    auto* row = new QHBoxLayout(choices_);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(tints_, 2);
    row->addWidget(legend_, 1);
    row->addStretch(0);
    caption_->setTextFormat(Qt::PlainText);
    caption_->setForegroundRole(QPalette::PlaceholderText);
    caption_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 4);
    column->setSpacing(4);
    column->addWidget(choices_);
    column->addWidget(grid_, 1);
    column->addWidget(caption_);
    connect(tints_, &QComboBox::currentIndexChanged, this, &LensView::chooseTint);
    connect(grid_, &LensGrid::cellDescribed, this, &LensView::cellDescribed);
    setLens(nullptr, nullptr);
}

void LensView::setLens(std::shared_ptr<const trace::Run> run, std::shared_ptr<const trace::Lens> lens) {
    table_ = std::make_shared<const LensTable>(std::move(run), std::move(lens));
    grid_->setTable(table_);
    choices_->setVisible(hasFigure());
    caption_->setVisible(hasFigure());
    showCaption();
}

void LensView::setWhyEmpty(const QString& wayThere) {
    grid_->setWhyEmpty(tr("Here stands what the decoder would say at each step if it ended after each of its "
                          "sublayers."),
                       wayThere);
}

void LensView::setSpaceMarksShown(bool shown) {
    grid_->setSpaceMarksShown(shown);
}

LensTint LensView::tint() const {
    return tints_->currentData().value<LensTint>();
}

void LensView::chooseTint() {
    grid_->setTint(tint());
    legend_->update();
    showCaption();
}

QString LensView::caption() const {
    return hasFigure() ? lensCaption(*table_, tint()) : QString();
}

/// Where the view is low, as at the window's foot, the cells need the room: the rest is in the tooltip.
void LensView::showCaption() {
    const QString words = caption();
    const bool isHigh = height() >= enoughForWords;
    const QString shown =
        isHigh ? words : caption_->fontMetrics().elidedText(words, Qt::ElideRight, width() - 16);
    caption_->setWordWrap(isHigh);
    caption_->setText(shown);
    caption_->setToolTip(shown == words ? QString() : plainToolTip(words));
    caption_->setAccessibleName(words);
}

void LensView::resizeEvent(QResizeEvent*) {
    showCaption();
}

void LensView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        showCaption();
}

QSize LensView::figureSize() const {
    if (!hasFigure())
        return FigureSource::figureSize();
    const QSizeF cells = grid_->picture().layOut(QSizeF(480, 0)).whole();
    const double wide = std::max(480.0, cells.width());
    const QFontMetricsF metrics(font());
    const double words =
        metrics.boundingRect(QRectF(0, 0, wide, 10000), Qt::TextWordWrap, caption()).height();
    return QSizeF(wide + 2 * margin, cells.height() + words + 2 * metrics.height() + 4 * margin).toSize();
}

void LensView::drawFigure(QPainter& painter, QSize size) const {
    const Theme& theme = lightTheme();
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (!hasFigure())
        return;
    const LensPicture picture = grid_->picture();
    const QFontMetricsF metrics(font());
    const QRectF inside = QRectF(QPointF(), QSizeF(size)).adjusted(margin, margin, -margin, -margin);
    const double words = metrics.boundingRect(inside, Qt::TextWordWrap, caption()).height();
    const QRectF legend(inside.left(), inside.bottom() - words - margin - metrics.height() - 4,
                        std::min(legendWidth, inside.width()), metrics.height() + 4);
    const QSizeF room(inside.width(), legend.top() - margin - inside.top());
    painter.setFont(font());
    painter.save();
    painter.translate(inside.topLeft());
    picture.draw(painter, room, picture.layOut(room), {}, theme);
    painter.restore();
    drawLensLegend(painter, legend, tint(), font(), theme);
    painter.setPen(theme.text);
    painter.drawText(QRectF(inside.left(), inside.bottom() - words, inside.width(), words),
                     Qt::AlignLeft | Qt::TextWordWrap, caption());
}

FigureText LensView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Logit lens"), .caption = caption(), .provenance = provenance(*table_->run())};
}

} // namespace headscope::widgets
