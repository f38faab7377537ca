// The numbers behind a view.
#include "app/plain/version.h"
#include "app/window/figure_desk.h"
#include "app/window/file_names.h"
#include "app/window/picture_facts.h"
#include "app/window/picture_names.h"
#include "model/files/csv.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>

#include <algorithm>

namespace headscope::app {

namespace {

using Slot = RunQueue::Slot;
using widgets::FigureSource;

/// Cells of a row between tabs, as spreadsheets take what is pasted.
QString tableText(const std::string& csv) {
    QString text = QString::fromStdString(csv);
    bool quoted = false;
    for (QChar& c : text) {
        quoted = quoted != (c == '"');
        if (c == ',' && !quoted)
            c = '\t';
    }
    return text.remove('\r');
}

/// Such as of maps that are too long to be kept.
trace::RefusalText noData(const FigureSource& figure) {
    QString why = figure.whyNoData();
    if (why.endsWith('.'))
        why.chop(1); // the paragraph ends it
    return {.what = FigureDesk::tr("There are no numbers to save behind this view").toStdString(),
            .where = figure.figureText().title.toStdString(),
            .found = why.toStdString()};
}

} // namespace

void FigureDesk::copyTable(QWidget* view) {
    auto* figure = figureOf(view);
    if (!figure)
        return;
    const auto data = figure->figureData();
    if (data.empty())
        return Q_EMIT refused(noData(*figure));
    QStringList parts;
    const auto add = [&](const auto& part) {
        parts += QString::fromStdString(part.name) + '\n' + tableText(files::csvText(part));
    };
    std::ranges::for_each(data.arrays, add);
    std::ranges::for_each(data.tables, add);
    QApplication::clipboard()->setText(parts.join('\n'));
    Q_EMIT done(tr("The numbers are copied as a table."));
}

void FigureDesk::saveData(QWidget* view) {
    auto* figure = figureOf(view);
    if (!figure)
        return;
    if (figure->figureData().empty())
        return Q_EMIT refused(noData(*figure));
    QStringList filters;
    for (const auto& ending : files::dataEndings())
        filters += QStringLiteral("%1 (*%2)")
                       .arg(QString::fromStdString(ending).mid(1).toUpper(), QString::fromStdString(ending));
    const QString suggested = proposedFile(parts_.settings->pictureFolder(),
                                           fileNameOf(*figure, *parts_.selection), QStringLiteral("csv"));
    QString filter;
    QString path = QFileDialog::getSaveFileName(parts_.window, tr("Save Data"), suggested,
                                                filters.join(QStringLiteral(";;")), &filter);
    if (path.isEmpty())
        return;
    if (endingOf(path).isEmpty())
        path += filter.section("(*", 1).section(')', 0, 0);
    parts_.settings->setPictureFolder(QFileInfo(path).absolutePath());
    writeData(view, path);
}

void FigureDesk::writeData(QWidget* view, const QString& path) {
    const auto& figure = dynamic_cast<const FigureSource&>(*view);
    const widgets::FigureFacts facts{.software = QStringLiteral("Headscope ") + version(),
                                     .command = pictureCommand(figure, {}, true).value_or(QString())};
    askForWeights(
        this, figure,
        [this, path, notes = dataNotes(figure, facts), data = figure.figureData(),
         ofRun = figure.isOfRun()](const std::string& weights) mutable {
            if (ofRun)
                notes.emplace_back("Weights", weights);
            dataToWrite_.push_back(
                std::make_shared<const DataToWrite>(DataToWrite{.path = path, .data = data, .notes = notes}));
            if (dataToWrite_.size() == 1)
                writeNextData();
        },
        tr("not known: another model was opened while they were read"));
}

/// One after the other: of two in a slot of the queue, the newer one would be all that is written.
void FigureDesk::writeNextData() {
    if (dataToWrite_.empty())
        return;
    parts_.queue->compute(Slot::Data, this, [this, job = dataToWrite_.front()] {
        QStringList written;
        trace::RefusalText refusal;
        try {
            for (const auto& file : files::saveFigureData(job->path.toStdString(), job->data, job->notes))
                written += QString::fromStdString(file.string());
        } catch (const trace::Refusal& refused) {
            refusal = refused.text();
        }
        return [this, written, refusal] {
            dataToWrite_.pop_front();
            if (!refusal.what.empty())
                Q_EMIT refused(refusal);
            else
                Q_EMIT done(tr("Saved: %1").arg(written.join(QStringLiteral(", "))));
            writeNextData();
        };
    });
}

} // namespace headscope::app
