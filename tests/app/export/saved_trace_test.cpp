#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QStatusBar>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "app/desktop/message_panel.h"
#include "app/document/session_controller.h"
#include "app/export/figure_dialog.h"
#include "app/export/trace_saver.h"
#include "tests/app/window/known_results.h"
#include "tests/app/window/real_engine_window.h"
#include "tests/watched_test.h"
#include "widgets/controls/contrast_field.h"
#include "widgets/controls/sentence_edit.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/lens/lens_view.h"

#include <algorithm>

using namespace headscope;
using app::MainWindow;

/// A trace as the window saves and opens it.
class SavedTraceTest : public tests::RealEngineWindow {
    Q_OBJECT

    std::shared_ptr<const trace::Run> run() const { return window_->controller()->run(); }
    bool isShown(const std::string& trace) const {
        return run() && run()->complete && run()->model->recorded && run()->model->path.ends_with(trace);
    }
    std::shared_ptr<const trace::Lens> lens() const { return test::known<trace::LensWhat>(*window_); }
    std::shared_ptr<const trace::HeadImportance> importance() const {
        return test::known<trace::ImportanceWhat>(*window_);
    }
    widgets::LensView* lensView() const { return window_->findChild<widgets::LensView*>(); }
    widgets::AttributionView* attribution() const { return window_->findChild<widgets::AttributionView*>(); }
    bool importanceSays(const QString& words) const {
        const auto labels = window_->findChild<widgets::ImportanceView*>()->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const auto* label) { return label->text().contains(words); });
    }
    QLineEdit* contrast() const {
        return attribution()->findChild<widgets::ContrastField*>()->findChild<QLineEdit*>();
    }

    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void ask(const QString& path) {
        QTimer::singleShot(100, qApp, [path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path); // which has the focus
            static_cast<QDialog*>(dialog)->accept();
        });
        window_->actions()[app::ActionId::SaveTrace]->trigger();
    }
    void save(const QString& path) {
        ask(path);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 30000);
    }

  private Q_SLOTS:
    void initTestCase() {
        open({.model = HEADSCOPE_SOURCE "/tests/reference/annotated-tiny", .sentence = QString("5 6 3")});
    }

    void ofTwoTracesBothAreSaved() {
        const QString one = folder_.filePath("one.safetensors"), other = folder_.filePath("other.npz");
        ask(one);
        ask(other);
        QVERIFY(window_->actions()[app::ActionId::Stop]->isEnabled());
        QVERIFY(!window_->close()); // they would not be there
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(one) && QFile::exists(other), 30000);
        QTRY_VERIFY(!window_->actions()[app::ActionId::Stop]->isEnabled());
    }

    void aTraceThatIsDroppedIsSaid() {
        auto* message = window_->findChild<app::MessagePanel*>();
        const QString model = QString::fromStdString(run()->model->path);
        const auto isSaid = [&] { return message->isVisible() && message->words().contains("dropped.npz"); };
        const auto* saver = window_->findChild<app::TraceSaver*>();
        bool told = false;
        const QObject here; // until the end of this
        connect(saver, &app::TraceSaver::savingChanged, &here, [&] { told = saver->isSaving(); });
        ask(folder_.filePath("dropped.npz"));
        QVERIFY(told);
        window_->actions()[app::ActionId::Stop]->trigger();
        QTRY_VERIFY(isSaid());
        QVERIFY(!told);
        message->hide();
        ask(folder_.filePath("dropped.npz"));
        window_->openModel(model);
        QTRY_VERIFY(isSaid());
        QTRY_VERIFY(run() && run()->complete && isSaid());
        window_->findChild<widgets::SentenceEdit*>()->setText("5 6 3");
        window_->actions()[app::ActionId::Decode]->trigger();
        QTRY_VERIFY(!window_->controller()->isDecoding() && run() && run()->complete);
    }

    /// Whatever is saved, and by whatever name: the open model may be the only copy.
    void nothingThatIsSavedReplacesTheOpenModel() {
        const QString model = folder_.filePath("own");
        QVERIFY(QDir().mkpath(model));
        for (const char* file : {"config.json", "model.pt"})
            QVERIFY(QFile::copy(QString(HEADSCOPE_SOURCE "/tests/reference/annotated-tiny/") + file,
                                model + '/' + file));
        const QString weights = model + "/model.pt";
        const auto before = contentOf(weights);
        const QString shown = QString::fromStdString(run()->model->path);
        window_->openModel(model);
        QTRY_VERIFY(run() && run()->complete && run()->model->path.starts_with(model.toStdString()));
        auto* message = window_->findChild<app::MessagePanel*>();
        const auto isRefused = [&] { // in the window, or in the dialog that stays open
            const auto labels = window_->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [](const auto* label) {
                return label->isVisible() && label->text().contains("would replace a file that was read");
            });
        };
        for (const char* ending : {"safetensors", "png", "headscope"}) {
            const QString link = folder_.filePath(QString("link.") + ending);
            QVERIFY(QFile::link(weights, link));
            message->hide();
            QTimer asked; // whether the file is to be replaced
            connect(&asked, &QTimer::timeout, [] {
                for (auto* box : QApplication::topLevelWidgets())
                    if (auto* question = qobject_cast<QMessageBox*>(box); question && question->isVisible())
                        question->button(QMessageBox::Yes)->click();
            });
            asked.start(20);
            if (QByteArray(ending) == "safetensors") {
                ask(link);
            } else if (QByteArray(ending) == "png") {
                window_->actions()[app::ActionId::SavePicture]->trigger();
                auto* field = window_->findChild<app::FigureDialog*>()->findChild<QLineEdit*>("path");
                field->setText(link);
                QTest::keyClick(field, Qt::Key_Return);
            } else {
                window_->sessions()->saveTo(link);
            }
            QTRY_VERIFY2(isRefused() || contentOf(weights) != before, ending);
            QVERIFY(contentOf(weights) == before);
            if (auto* dialog = window_->findChild<app::FigureDialog*>())
                dialog->reject();
        }
        message->hide();
        window_->openModel(shown);
        QTRY_VERIFY(run() && run()->complete && run()->model->path == shown.toStdString());
        window_->findChild<widgets::SentenceEdit*>()->setText("5 6 3");
        window_->actions()[app::ActionId::Decode]->trigger();
        QTRY_VERIFY(!window_->controller()->isDecoding() && run() && run()->complete);
    }

    void ofATraceNoHeadIsSwitchedOff() {
        save(folder_.filePath("plain.safetensors"));
        window_->findChild<widgets::SentenceEdit*>()->setText("not read");
        window_->actions()[app::ActionId::MapLosses]->setChecked(true);
        window_->openModel(folder_.filePath("plain.safetensors"));
        QTRY_VERIFY(isShown("plain.safetensors"));
        QVERIFY(!window_->actions()[app::ActionId::ToggleHead]->isEnabled());
        const auto* losses = window_->actions()[app::ActionId::MapLosses]; // which it does not hold
        QVERIFY(!losses->isEnabled() && !losses->isChecked());
    }

    void keysOfWhatIsDisabledSayWhy() {
        QVERIFY(isShown("plain.safetensors"));
        window_->setFocus();
        for (const auto& [id, name] : std::vector<std::pair<app::ActionKey, const char*>>{
                 {app::ActionId::ToggleHead, "Switch the Head Off or On: "},
                 {"importance", "Measure Head Importance: "}}) {
            window_->statusBar()->clearMessage();
            const auto keys = window_->actions()[id]->shortcut()[0];
            QTest::keyClick(window_.get(), keys.key(), keys.keyboardModifiers());
            const QString said = window_->statusBar()->currentMessage();
            QVERIFY2(said.startsWith(name) && said.contains("This is a trace"), qPrintable(said));
            QVERIFY(!window_->actions()[id]->isEnabled());
        }
    }

    void onlyWhatATraceCanBeComparedWithIsOffered() {
        using With = widgets::CompareBar::With;
        QVERIFY(isShown("plain.safetensors"));
        const auto* bar = window_->findChild<widgets::CompareView*>()->bar();
        QCOMPARE(bar->with(), With::Step);
        const auto segments = bar->findChildren<QToolButton*>();
        for (int kind = 0; kind < widgets::CompareBar::kinds; ++kind) {
            const auto with = static_cast<With>(kind);
            const bool isOffered = with == With::Model || with == With::Step;
            QCOMPARE(bar->isOffered(with), isOffered);
            const auto segment =
                std::ranges::find(segments, widgets::CompareBar::title(with), &QToolButton::text);
            QCOMPARE((*segment)->toolTip().contains("This is a trace"), !isOffered);
        }
    }

    void whatATraceCannotBeComparedWithIsSaid() {
        using With = widgets::CompareBar::With;
        QVERIFY(isShown("plain.safetensors"));
        window_->actions()["workspace.compare"]->trigger();
        auto* view = window_->findChild<widgets::CompareView*>();
        for (const auto with : {With::Sentence, With::Branch, With::Unchanged}) {
            view->bar()->setWith(with);
            QTRY_VERIFY2(view->whyNot().contains("without changes to the model. Choose") ||
                             (view->whyNot().startsWith("A trace ") &&
                              view->whyNot().contains("or another model or trace")),
                         qPrintable(view->whyNot()));
        }
        for (const QString& other : {folder_.filePath("plain.safetensors"),
                                     QString(HEADSCOPE_SOURCE "/tests/reference/annotated-tiny")}) {
            window_->compareWith(other);
            QTRY_VERIFY2(view->pair() && view->whyNot().isEmpty(), qPrintable(view->whyNot()));
        }
        window_->actions()["heatmap"]->trigger();
    }

    /// Above the maps stands the sentence that they are of.
    void ofATraceAnotherSentenceIsRefused() {
        QVERIFY(isShown("plain.safetensors"));
        auto* field = window_->findChild<widgets::SentenceEdit*>();
        const QString sentence = field->text();
        QCOMPARE(sentence, QString("5 6 3"));
        field->setText("7 8 3");
        QTest::keyClick(field->focusProxy() ? field->focusProxy() : field, Qt::Key_Return);
        const auto* message = window_->findChild<app::MessagePanel*>();
        QTRY_VERIFY(message->isVisible());
        QVERIFY2(message->words().contains("cannot read another sentence"), qPrintable(message->words()));
        QCOMPARE(field->text(), sentence);
        QVERIFY(isShown("plain.safetensors"));
        window_->openModel(HEADSCOPE_SOURCE "/tests/reference/annotated-tiny");
        QTRY_VERIFY(run() && run()->complete && !run()->model->recorded);
    }

    /// With the token that it is held against. What was not measured is not: it takes long.
    void whatWasReadAndMeasuredIsShownWithoutTheModel() {
        window_->actions()["logit-lens"]->trigger();
        contrast()->setText("#7");
        Q_EMIT contrast()->editingFinished();
        QTRY_VERIFY(lens() && attribution()->hasFigure());
        save(folder_.filePath("read.safetensors"));
        window_->actions()["importance"]->trigger();
        QTRY_VERIFY(importance() && importance()->complete);
        const auto lensBefore = lens();
        const auto importanceBefore = importance();
        save(folder_.filePath("measured.safetensors"));
        contrast()->clear();
        Q_EMIT contrast()->editingFinished();

        window_->actions()["logit-lens"]->trigger();
        window_->openModel(folder_.filePath("read.safetensors"));
        QTRY_VERIFY(isShown("read.safetensors") && lens());
        window_->findChild<app::Document*>()->measureHeads();
        QTRY_VERIFY(!test::isMeasuring(*window_));
        QVERIFY(!importance());
        QTRY_VERIFY(importanceSays("headscope-cli trace --importance"));

        window_->openModel(folder_.filePath("measured.safetensors"));
        QTRY_VERIFY(isShown("measured.safetensors") && lens());
        QTRY_VERIFY(lensView()->hasFigure() && attribution()->hasFigure());
        QCOMPARE(contrast()->text(), QString("#7"));
        const auto read = *lens();
        QCOMPARE(read.readings.size(), lensBefore->readings.size());
        QCOMPARE(read.readings.back().front().divergence, lensBefore->readings.back().front().divergence);
        QCOMPARE(read.attributions.back().logit, lensBefore->attributions.back().logit);
        QTRY_VERIFY(importance()); // without being asked
        QVERIFY(window_->actions()["importance"]->isEnabled());
        for (const auto& effect : importanceBefore->effects)
            QCOMPARE(importance()->effect(effect.head)->importance, effect.importance);
    }
};

HEADSCOPE_WATCHED_TEST(SavedTraceTest)
#include "saved_trace_test.moc"
