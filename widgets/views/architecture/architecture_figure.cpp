#include "model/analysis/architecture/architecture_memory.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/architecture/architecture_diagram.h"
#include "widgets/views/architecture/architecture_table.h"
#include "widgets/views/architecture/architecture_titles.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/architecture/architecture_words.h"
#include "widgets/words/captions.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTreeView>

#include <algorithm>

namespace headscope::widgets {

/// A figure shows the whole diagram.
QString ArchitectureView::figureCaption(const FigureParts& parts) const {
    QStringList words;
    if (parts.caption)
        words += caption();
    if (parts.notes && isZoomed())
        words += tr("The whole diagram, including its hidden part.");
    return words.join(QChar(' '));
}

/// The description of the marked block, written below the diagram.
QString ArchitectureView::blockWords() const {
    const auto* block = isTableShown() ? nullptr : diagram_->current();
    return block ? blockInWords(facts_, *block).join(QChar('\n')) : QString();
}

QString ArchitectureView::wordsBelow(const FigureParts& parts) const {
    QStringList words{figureCaption(parts)};
    if (parts.caption && parts.marks)
        words += blockWords();
    if (parts.caption)
        words += memoryInWords(facts_);
    words.removeAll(QString());
    return words.join(QChar('\n'));
}

double ArchitectureView::figureWords(double width) const {
    const QString words = wordsBelow(figureParts());
    const QRectF room(0, 0, width, 1e6);
    return words.isEmpty() ? 0
                           : QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, words).height() + 24;
}

bool ArchitectureView::isTableShown() const {
    return stack_->currentWidget() == tree_ && table_->rowCount() > 0;
}

QSize ArchitectureView::figureSize() const {
    if (!facts_.model)
        return FigureSource::figureSize();
    if (isTableShown())
        return tableFigure(*tree_, wordsBelow(figureParts()), figureParts(), font()).size();
    const QSizeF size = diagram_->wholeLayout().size.expandedTo({480, 160});
    return QSizeF(size.width(), size.height() + figureWords(size.width() - 24)).toSize();
}

void ArchitectureView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (!facts_.model)
        return;
    if (isTableShown())
        return tableFigure(*tree_, wordsBelow(figureParts()), figureParts(), font())
            .draw(painter, QRectF(QPointF(), QSizeF(size)), theme);
    const auto layout = diagram_->wholeLayout();
    const double words = figureWords(size.width() - 24.0);
    const double scale =
        std::min({1.0, size.width() / layout.size.width(), (size.height() - words) / layout.size.height()});
    painter.setFont(font());
    painter.save();
    painter.translate((size.width() - layout.size.width() * scale) / 2, 0);
    painter.scale(scale, scale);
    const auto* current = figureParts().marks ? diagram_->current() : nullptr;
    const auto marked = current ? layout.boxOf(current->role) : std::nullopt;
    drawArchitecture(painter, layout, facts_, {.current = marked, .spaceMarks = spaceMarks_}, theme);
    painter.restore();
    painter.setPen(theme.text);
    painter.drawText(QRectF(QPointF(), size).adjusted(12, 12, -12, -12), Qt::AlignBottom | Qt::TextWordWrap,
                     wordsBelow(figureParts()));
}

FigureText ArchitectureView::figureText() const {
    return {.title = tr("Architecture"),
            .caption = wordsBelow({}).replace(QChar('\n'), QChar(' ')),
            .provenance = facts_.run     ? provenance(*facts_.run)
                          : facts_.model ? QString::fromStdString(facts_.model->name)
                                         : QString()};
}

namespace {

using analysis::ArchitectureBlock;

struct BlockColumns {
    QStringList roles, shapes;
    std::vector<double> parameters, activations, atTwice, atTenTimes;
    std::vector<double> before, added, after, cosine, units, dead;

    void add(const ArchitectureFacts& facts, const std::vector<ArchitectureBlock>& blocks) {
        for (const auto& block : blocks) {
            roles += QString::fromStdString(block.role);
            QStringList out;
            for (const auto& tensor : block.out)
                out += tensorInWords(facts, tensor);
            shapes += out.join(QStringLiteral("; "));
            parameters.push_back(analysis::parametersAreKnown(*facts.model)
                                     ? static_cast<double>(block.parameters)
                                     : noNumber);
            activations.push_back(bytes(facts, block, 1));
            atTwice.push_back(bytes(facts, block, 2));
            atTenTimes.push_back(bytes(facts, block, 10));
            addFlow(facts, block);
            add(facts, block.children);
        }
    }

  private:
    static double bytes(const ArchitectureFacts& facts, const ArchitectureBlock& block, int times) {
        auto lengths = facts.lengths();
        if (!lengths)
            return noNumber;
        lengths->source *= times;
        lengths->target *= times;
        return analysis::activationBytes(block, *lengths);
    }

    void addFlow(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
        const auto* flow = facts.measuredAt(block);
        const auto mean = [&](const std::vector<double> trace::SublayerFlow::*part) {
            return flow ? meanOf(facts, block.side, flow->*part) : noNumber;
        };
        before.push_back(mean(&trace::SublayerFlow::before));
        added.push_back(mean(&trace::SublayerFlow::added));
        after.push_back(mean(&trace::SublayerFlow::after));
        cosine.push_back(mean(&trace::SublayerFlow::cosine));
        units.push_back(flow && flow->units > 0 ? static_cast<double>(flow->units) : noNumber);
        dead.push_back(flow && flow->units > 0 ? static_cast<double>(flow->deadUnits) : noNumber);
    }
};

} // namespace

trace::FigureData ArchitectureView::figureData() const {
    if (!hasFigure())
        return {};
    BlockColumns all;
    all.add(facts_, facts_.architecture.source);
    all.add(facts_, facts_.architecture.target);
    return {.tables = {{.name = "blocks",
                        .columns = {dataColumn("block", all.roles), dataColumn("out", all.shapes),
                                    dataColumn("parameters", all.parameters),
                                    dataColumn("activation_bytes", all.activations),
                                    dataColumn("activation_bytes_at_twice", all.atTwice),
                                    dataColumn("activation_bytes_at_ten_times", all.atTenTimes),
                                    dataColumn("stream_before", all.before), dataColumn("added", all.added),
                                    dataColumn("stream_after", all.after), dataColumn("cosine", all.cosine),
                                    dataColumn("units", all.units), dataColumn("dead_units", all.dead)}}}};
}

bool ArchitectureView::isZoomed() const {
    return !isTableShown() && !diagram_->zoom().empty();
}

std::optional<PictureOptions> ArchitectureView::picture(PictureOptions options) const {
    return ofView(std::move(options), "architecture");
}

} // namespace headscope::widgets
