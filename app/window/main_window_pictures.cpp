#include "app/window/arithmetic_dock.h"
#include "app/window/branch_docks.h"
#include "app/window/head_table_dock.h"
#include "app/window/importance_dock.h"
#include "app/window/lens_dock.h"
#include "app/window/main_window.h"
#include "app/window/message_panel.h"
#include "app/window/random_twin_dock.h"
#include "app/window/what_if_dock.h"
#include "model/files/atomic_file.h"
#include "widgets/arithmetic_view.h"
#include "widgets/candidates_view.h"
#include "widgets/compared_heads.h"
#include "widgets/figure_export.h"
#include "widgets/head_grid_view.h"
#include "widgets/head_page.h"
#include "widgets/head_table.h"
#include "widgets/heatmap_view.h"
#include "widgets/importance_view.h"
#include "widgets/overview.h"
#include "widgets/overview_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QPainter>
#include <QTabWidget>

#include <algorithm>
#include <iterator>

namespace headscope::app {

namespace {

constexpr int pictureDpi = 192;

std::optional<widgets::FigureFormat> formatOf(const QString& path) {
    const QString ending = path.section('.', -1).toLower();
    if (ending == "png")
        return widgets::FigureFormat::Png;
    if (ending == "svg")
        return widgets::FigureFormat::Svg;
    if (ending == "pdf")
        return widgets::FigureFormat::Pdf;
    return std::nullopt;
}

} // namespace

/// A view's own menu saves and copies that view, whichever is on top.
void MainWindow::offerPicture(QWidget* view) {
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view, &QWidget::customContextMenuRequested, this, [this, view](QPoint position) {
        auto* figure = dynamic_cast<widgets::FigureSource*>(view);
        QMenu menu;
        menu.addAction(tr("Copy Picture"), this, [this, figure] { copyPicture(figure); });
        menu.addAction(tr("Save Picture..."), this, [this, figure] { savePicture(figure); });
        const auto maps = compared_->allMaps();
        if (const auto map = std::ranges::find(maps, view); map != maps.end()) {
            const auto shown = (*map)->head();
            const auto cell = (*map)->runCellAt(position);
            arithmetic_->addToMenu(menu, shown.site.kind, cell);
            menu.addAction((*actions_)[ActionId::CopyCell]);
            headTable_->addCell(menu, shown.site.kind, cell);
            addPinning(menu, shown);
            whatIfDock_->addChangesOfCell(menu, shown, cell);
        }
        const auto head = view == grid_                 ? grid_->headAt(position)
                          : view == overview_->view()   ? overview_->view()->headAt(position)
                          : view == importance_->view() ? importance_->view()->headAt(position)
                          : view == headTable_->table() ? headTable_->table()->headAt(position)
                                                        : std::nullopt;
        if (head) {
            addPinning(menu, *head);
            whatIfDock_->addChangesOfHead(menu, *head);
        }
        menu.exec(view->mapToGlobal(position));
    });
}

/// The panel that has the focus, else the tab on top.
widgets::FigureSource* MainWindow::figureOnTop() const {
    const QWidget* focus = focusWidget();
    auto panels = branches_->pictures();
    std::ranges::copy(lens_->pictures(), std::back_inserter(panels));
    panels.insert(panels.end(), {grid_, candidates_, importance_->view(), headTable_->table(),
                                 headTable_->page(), twinDock_->map(), arithmetic_->view()});
    for (QWidget* panel : panels)
        if (focus && (panel == focus || panel->isAncestorOf(focus)))
            return dynamic_cast<widgets::FigureSource*>(panel);
    return dynamic_cast<widgets::FigureSource*>(tabs_->currentWidget());
}

void MainWindow::savePicture(widgets::FigureSource* figure) {
    if (!figure || !figure->hasFigure()) {
        message_->showRefusal({.what = tr("There is no picture to save yet").toStdString(),
                               .wayOut = tr("type a sentence and press Enter first").toStdString()});
        return;
    }
    const QString suggested = QDir(settings_.pictureFolder()).filePath(figure->figureText().title + ".png");
    QString filter;
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save Picture"), suggested, tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"),
        &filter);
    if (path.isEmpty())
        return;
    if (!formatOf(path)) // no ending, or none of these: that of the kind that was chosen
        path += filter.section("(*", 1).section(')', 0, 0);
    settings_.setPictureFolder(QFileInfo(path).path());
    const auto format = formatOf(path);
    if (!format) {
        message_->showRefusal({.what = tr("A picture cannot be written in this format").toStdString(),
                               .where = path.toStdString(),
                               .expected = tr("a name that ends in .png, .svg or .pdf").toStdString()});
        return;
    }
    figure->prepareFigure([this, figure, path, format = *format] { writePicture(*figure, path, format); });
}

void MainWindow::writePicture(const widgets::FigureSource& figure, const QString& path,
                              widgets::FigureFormat format) {
    const auto file = widgets::figureBytes(format, figure.figureSize(), pictureDpi, figure);
    try {
        if (!file.error.isEmpty())
            throw trace::Refusal({.what = file.error.toStdString(), .where = path.toStdString()});
        files::saveAtomically(
            path.toStdString(),
            std::string_view(file.bytes.constData(), static_cast<std::size_t>(file.bytes.size())));
    } catch (const trace::Refusal& refusal) {
        message_->showRefusal(refusal.text());
    }
}

void MainWindow::copyPicture(widgets::FigureSource* figure) {
    if (!figure || !figure->hasFigure())
        return;
    figure->prepareFigure([figure] {
        const QSize size = figure->figureSize();
        QImage image(size * 2, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(2);
        image.fill(Qt::white);
        QPainter painter(&image);
        figure->drawFigure(painter, size);
        painter.end();
        QApplication::clipboard()->setImage(image);
    });
}

} // namespace headscope::app
