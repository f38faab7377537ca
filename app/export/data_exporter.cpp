#include "app/export/data_exporter.h"

#include "app/desktop/file_dialogs.h"
#include "app/desktop/picture_names.h"
#include "app/export/picture_facts.h"
#include "app/version.h"
#include "model/files/csv.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace headscope::app {

namespace {

using JobKind = WorkQueue::JobKind;
using widgets::FigureSource;

/// Converts CSV to tab-separated cells, as spreadsheets expect from the clipboard.
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

/// The refusal for views without data, for instance because their maps are too large to be stored.
trace::RefusalText noData(const FigureSource& figure) {
    QString why = figure.whyNoData();
    if (why.endsWith('.'))
        why.chop(1); // the message adds a full stop
    return {.what = QCoreApplication::translate("headscope::app::DataExporter",
                                                "This view has no numbers to save")
                        .toStdString(),
            .where = figure.figureText().title.toStdString(),
            .found = why.toStdString()};
}

/// Names of the files that already exist.
QStringList existing(const std::vector<std::filesystem::path>& files) {
    QStringList names;
    for (const auto& file : files)
        if (const QFileInfo there(QString::fromStdString(file.string())); there.exists())
            names += there.fileName();
    return names;
}

} // namespace

DataExporter::DataExporter(WorkQueue* queue, Settings* settings, QWidget* window, QObject* parent)
    : QObject(parent), queue_(queue), settings_(settings), window_(window) {
    connect(queue_, &WorkQueue::busyChanged, this, [this] {
        if (beside_ && !queue_->isBusy(JobKind::Awaited, this))
            doBeside(beside_);
    });
}

void DataExporter::copy(const FigureSource& figure) {
    const auto data = figure.figureData();
    if (data.empty())
        return Q_EMIT refused(noData(figure));
    QStringList parts;
    const auto add = [&](const auto& part) {
        parts += QString::fromStdString(part.name) + '\n' + tableText(files::csvText(part));
    };
    std::ranges::for_each(data.arrays, add);
    std::ranges::for_each(data.tables, add);
    QApplication::clipboard()->setText(parts.join('\n'));
    Q_EMIT done(tr("The values were copied as a table."), {});
}

void DataExporter::save(const FigureSource& figure, const Saving& saving) {
    auto job = std::make_shared<Job>(
        Job{.path = {},
            .data = figure.figureData(),
            .notes = dataNotes(
                figure, {.software = QStringLiteral("Headscope ") + version(), .command = saving.command}),
            .files = {}});
    if (job->data.empty())
        return Q_EMIT refused(noData(figure));
    QStringList filters;
    for (const auto& ending : files::dataEndings())
        filters += QStringLiteral("%1 (*%2)")
                       .arg(QString::fromStdString(ending).mid(1).toUpper(), QString::fromStdString(ending));
    job->path =
        askFileToSave({.window = window_,
                       .title = tr("Export Data"),
                       .start = proposedFile(settings_->pictureFolder(), saving.name, QStringLiteral("csv")),
                       .filters = filters.join(QStringLiteral(";;"))},
                      Replacing::AskedLater);
    if (job->path.isEmpty())
        return;
    settings_->setPictureFolder(QFileInfo(job->path).absolutePath());
    try {
        job->files = files::figureDataFiles(job->path.toStdString(), job->data);
    } catch (const trace::Refusal& refusal) {
        return Q_EMIT refused(refusal.text());
    }
    saving.askForWeights([this, job, ofRun = figure.isOfRun()](const std::string& weights) {
        if (ofRun)
            job->notes.emplace_back("Weights", weights);
        jobs_.push_back(job);
        if (jobs_.size() == 1)
            lookAtNext();
    });
}

/// The file dialog has not asked about replacing: with several files, none may have the given name. Jobs run
/// one after the other, as a newer job would replace an older one.
void DataExporter::lookAtNext() {
    if (jobs_.empty())
        return;
    doBeside([this, job = jobs_.front()] {
        const QStringList replaced = existing(job->files);
        return [this, job, replaced] {
            if (replaced.isEmpty())
                write(job);
            else
                askToReplace(job, replaced);
        };
    });
}

void DataExporter::askToReplace(const std::shared_ptr<Job>& job, const QStringList& replaced) {
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Replace Files"),
                                replaced.size() == 1
                                    ? tr("The file %1 already exists. Replace it?").arg(replaced.front())
                                    : tr("%1 files already exist. Replace them?").arg(replaced.size()),
                                QMessageBox::Cancel, window_);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("replace-files"));
    box->setTextFormat(Qt::PlainText); // file names may contain markup
    const QString place = tr("Folder: %1").arg(QFileInfo(job->path).absolutePath());
    box->setInformativeText(replaced.size() == 1 ? place
                                                 : replaced.join('\n') + QStringLiteral("\n\n") + place);
    const auto* replace = box->addButton(tr("&Replace"), QMessageBox::DestructiveRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(box, &QDialog::finished, this, [this, job, box, replace] {
        if (box->clickedButton() == replace)
            write(job);
        else
            end();
    });
    box->open();
}

void DataExporter::doBeside(const std::function<std::function<void()>()>& work) {
    beside_ = work;
    queue_->compute(JobKind::Awaited, this,
                    [this, work](const trace::Task&) {
                        return [this, done = work()] {
                            beside_ = {};
                            done();
                        };
                    },
                    {.refused = [this](const trace::RefusalText& text) {
                        Q_EMIT refused(text);
                        if (beside_)
                            end(); // repeating it would fail again
                    }});
}

void DataExporter::end() {
    beside_ = {};
    jobs_.pop_front();
    lookAtNext();
}

void DataExporter::write(const std::shared_ptr<const Job>& job) {
    doBeside([this, job] {
        QStringList written;
        trace::RefusalText refusal;
        try {
            for (const auto& file : files::saveFigureData(job->path.toStdString(), job->data, job->notes))
                written += QString::fromStdString(file.string());
        } catch (const trace::Refusal& refused) {
            refusal = refused.text();
        }
        return [this, written, refusal] {
            if (!refusal.what.empty())
                Q_EMIT refused(refusal);
            else
                Q_EMIT done(tr("Saved %1").arg(written.join(QStringLiteral(", "))), written.front());
            end();
        };
    });
}

} // namespace headscope::app
