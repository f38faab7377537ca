#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>

#include "app/desktop/missing_settings_dialog.h"
#include "app/desktop/several_models_dialog.h"
#include "app/document/model_opener.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"

using namespace headscope::app;
using headscope::test::FakeEngine;

class ModelOpenerTest : public QObject {
    Q_OBJECT

    FakeEngine::Script script_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<QWidget> window_;
    Settings settings_;
    WorkQueue* queue_ = nullptr;
    ModelOpener* opener_ = nullptr;

    QString bare() const { return folder_->path() + "/bare.pt"; }
    MissingSettingsDialog* dialog() const { return window_->findChild<MissingSettingsDialog*>(); }
    QPushButton* button(QDialogButtonBox::StandardButton which) const {
        return dialog()->findChild<QDialogButtonBox*>()->button(which);
    }
    QString words() const {
        QStringList all;
        for (const auto* label : dialog()->findChildren<QLabel*>())
            all += label->text();
        return all.join('\n');
    }

    void openBare() {
        opener_->open(bare());
        QTRY_VERIFY(dialog() && dialog()->isVisible());
    }

    void answer(const QString& heads = "4") {
        auto* choice = dialog()->findChild<QComboBox*>("heads");
        choice->setCurrentIndex(choice->findData(heads));
        auto* norm = dialog()->findChild<QComboBox*>("norm");
        norm->setCurrentIndex(norm->findData("pre"));
        dialog()->findChild<QSpinBox*>("start_id")->setValue(2);
    }

  private Q_SLOTS:
    void init() {
        QSettings().clear();
        script_.opened.clear();
        script_.refusal.reset();
        script_.holdRuns = false;
        folder_ = std::make_unique<QTemporaryDir>();
        window_ = std::make_unique<QWidget>();
        window_->show();
        queue_ = new WorkQueue([this] { return std::make_unique<FakeEngine>(script_); }, window_.get());
        opener_ = new ModelOpener(queue_, &settings_, window_.get());
        opener_->setSample("a sample");
        queue_->start();
    }

    void cleanup() {
        script_.holdRuns = false;
        delete queue_;
        window_.reset();
    }

    /// A disk may take long: until it has answered, it is called what the person called it.
    void aModelIsFoundWithoutKeepingTheWindowWaiting() {
        const QString name = QDir::current().relativeFilePath(folder_->path());
        opener_->open(name);
        QCOMPARE(opener_->path(), name);
        QTRY_VERIFY(!queue_->isBusy(WorkQueue::JobKind::Model));
        QCOMPARE(opener_->path(), folder_->path());
        QCOMPARE(opener_->openPath(), folder_->path());
        QVERIFY(!opener_->series());
    }

    void aFolderWithSeveralCheckpointsAsksWhich() {
        const QString run = folder_->path() + "/several";
        for (const char* name : {"checkpoint-500", "checkpoint-1000"}) {
            QVERIFY(QDir().mkpath(run + "/" + name));
            QFile file(run + "/" + name + "/model.safetensors");
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("weights") > 0);
        }
        QSignalSpy opened(queue_, &WorkQueue::modelOpened);
        QSignalSpy refused(opener_, &ModelOpener::refused);
        const auto asked = [&] { return window_->findChild<SeveralModelsDialog*>(); };
        opener_->open(run);
        QTRY_VERIFY(asked() && asked()->isVisible());
        QVERIFY(opener_->isAsking());
        auto* list = asked()->findChild<QTreeWidget*>();
        QCOMPARE(list->topLevelItemCount(), 2);
        QCOMPARE(list->topLevelItem(0)->text(0), "checkpoint-500");
        QVERIFY(list->currentItem()->text(2).contains("newest"));
        asked()->reject();
        QCOMPARE(refused.size(), 1);
        QTRY_VERIFY(!asked());
        opener_->open(run);
        QTRY_VERIFY(asked() && asked()->isVisible());
        list = asked()->findChild<QTreeWidget*>();
        list->setCurrentItem(list->topLevelItem(0));
        asked()->accept();
        QTRY_COMPARE(opened.size(), 1);
        QCOMPARE(opener_->openPath(), run + "/checkpoint-500");
        QCOMPARE(settings_.recentModels().front(), run + "/checkpoint-500");
    }

    void aPatternIsRememberedWithItsModel() {
        QSignalSpy opened(queue_, &WorkQueue::modelOpened);
        const auto used = [&] {
            return script_.settings.empty() ? std::string() : script_.settings.front().value;
        };
        opener_->open(folder_->path());
        QTRY_COMPARE(opened.size(), 1);
        QVERIFY(opener_->pattern().isEmpty());
        opener_->openWithPattern(".");
        QTRY_COMPARE(opened.size(), 2);
        QCOMPARE(used(), std::string("."));
        QVERIFY(opener_->readsAgain() && !opener_->usedAnswers());
        opener_->open(folder_->path());
        QTRY_COMPARE(opened.size(), 3);
        QCOMPARE(opener_->pattern(), QString("."));
        QCOMPARE(used(), std::string("."));
        const QTemporaryDir other;
        opener_->open(other.path());
        QTRY_COMPARE(opened.size(), 4);
        QVERIFY(opener_->pattern().isEmpty());
        opener_->open(folder_->path());
        QTRY_COMPARE(opened.size(), 5);
        opener_->openWithPattern({});
        QTRY_COMPARE(opened.size(), 6);
        QVERIFY(opener_->pattern().isEmpty() && used().empty());
        QVERIFY(settings_.tokenizerPattern(opener_->openPath()).isEmpty());
    }

    void theBaseOfAnAdapterIsAskedForAndRemembered() {
        const QString adapter = folder_->path() + "/adapter", base = folder_->path() + "/base";
        script_.needsBase = true;
        QSignalSpy opened(queue_, &WorkQueue::modelOpened), refused(opener_, &ModelOpener::refused);
        QSignalSpy wanted(opener_, &ModelOpener::baseWanted);
        opener_->open(adapter);
        QTRY_COMPARE(wanted.size(), 1);
        QCOMPARE(refused.size(), 1);
        opener_->openWithBase(base);
        QTRY_COMPARE(opened.size(), 1);
        QCOMPARE(opener_->openPath(), adapter);
        QCOMPARE(settings_.answers(adapter), (ModelSettings{{"base", base.toStdString()}}));
        opener_->open(adapter);
        QTRY_COMPARE(opened.size(), 2);
        QCOMPARE(refused.size(), 1);
        script_.needsBase = false;
    }

    void nothingIsChosenBeforehandAndOnlyWhatIsPossibleCanBe() {
        openBare();
        const auto* heads = dialog()->findChild<QComboBox*>("heads");
        QCOMPARE(heads->currentIndex(), -1);
        QCOMPARE(heads->count(), 4);
        const auto* start = dialog()->findChild<QSpinBox*>("start_id");
        QCOMPARE(start->text(), "choose...");
        QCOMPARE(start->maximum(), 9);
        QVERIFY(!button(QDialogButtonBox::Open)->isEnabled());
        QVERIFY(button(QDialogButtonBox::Open)->toolTip().contains("How many heads?"));
    }

    void withAllAnswersTheModelOpensAndTheyAreRemembered() {
        QSignalSpy opened(queue_, &WorkQueue::modelOpened);
        openBare();
        answer();
        QVERIFY(button(QDialogButtonBox::Open)->isEnabled());
        button(QDialogButtonBox::Open)->click();
        QTRY_COMPARE(opened.size(), 1);
        QCOMPARE(settings_.answers(bare()),
                 (ModelSettings{{"heads", "4"}, {"norm", "pre"}, {"start_id", "2"}}));
        QVERIFY(!QFile::exists(folder_->path() + "/headscope.json"));
        opener_->open(bare());
        QTRY_COMPARE(opened.size(), 2);
        QVERIFY(!dialog());
    }

    void whoIsAskedAgainAndThinksBetterOfItHasTheAnswersStill() {
        QSignalSpy opened(queue_, &WorkQueue::modelOpened);
        openBare();
        answer();
        button(QDialogButtonBox::Open)->click();
        QTRY_COMPARE(opened.size(), 1);
        QSignalSpy refused(opener_, &ModelOpener::refused);
        QSignalSpy gaveUp(opener_, &ModelOpener::gaveUp);
        opener_->askAgain();
        QTRY_VERIFY(dialog());
        dialog()->reject();
        QCOMPARE(gaveUp.size(), 1);
        QCOMPARE(refused.size(), 0);
        QCOMPARE(settings_.answers(bare()).size(), 3u);
    }

    void onlyAnAnswerThatIsRefusedIsForgotten() {
        settings_.setAnswers(bare(), {{"heads", "4"}, {"norm", "pre"}, {"start_id", "2"}});
        QSignalSpy refused(queue_, &WorkQueue::refused);
        script_.refusal = {.what = "The file cannot be read", .where = "weights", .wayOut = "try again"};
        opener_->open(bare());
        QTRY_COMPARE(refused.size(), 1);
        QCOMPARE(settings_.answers(bare()).size(), 3u);
        script_.refusal = {.what = "An id is too large", .where = "--start-id", .wayOut = "give another"};
        opener_->open(bare());
        QTRY_COMPARE(refused.size(), 2);
        QVERIFY(settings_.answers(bare()).empty());
    }

    void theyAreWrittenBesideTheModelIfThePersonWants() {
        openBare();
        answer();
        dialog()->findChild<QCheckBox*>()->setChecked(true);
        button(QDialogButtonBox::Open)->click();
        QFile file(folder_->path() + "/headscope.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("\"heads\": 4"));
    }

    /// Said once the model is open, which takes away what was said before.
    void whereTheyCannotBeWrittenTheModelOpensWithThem() {
        QVERIFY(QDir(folder_->path()).mkdir("headscope.json"));
        QSignalSpy opened(queue_, &WorkQueue::modelOpened);
        QSignalSpy refused(opener_, &ModelOpener::refused);
        QSignalSpy notWritten(opener_, &ModelOpener::answersNotWritten);
        openBare();
        answer();
        dialog()->findChild<QCheckBox*>()->setChecked(true);
        button(QDialogButtonBox::Open)->click();
        QTRY_COMPARE(opened.size(), 1);
        QCOMPARE(notWritten.size(), 1);
        QVERIFY(refused.isEmpty());
    }

    void itSaysHowSureTheModelIsWithEachAnswer() {
        openBare();
        QVERIFY(words().contains("the decoder's first id"));
        dialog()->findChild<QSpinBox*>("start_id")->setValue(2);
        QTRY_VERIFY(words().contains(QString("Best trial: 4 (mean log-probability %1").arg(QChar(0x2212))));
        QTRY_VERIFY(words().contains("Best trial: before (pre)"));
        QCOMPARE(dialog()->findChild<QComboBox*>("heads")->currentIndex(), -1);
        answer();
        QTRY_VERIFY(words().contains("said of a sample"));
    }

    void puttingTheQuestionAwayStopsTheTrialsAndSaysWhatIsMissing() {
        script_.holdRuns = true;
        QSignalSpy refused(opener_, &ModelOpener::refused);
        openBare();
        dialog()->findChild<QSpinBox*>("start_id")->setValue(2);
        QTRY_VERIFY(queue_->isBusy(WorkQueue::JobKind::Background, dialog()));
        button(QDialogButtonBox::Cancel)->click();
        QVERIFY(!queue_->isBusy());
        QCOMPARE(refused.size(), 1);
        QTRY_VERIFY(!dialog());
    }

    void answersAreForgottenWithTheRecentModels() {
        settings_.addRecentModel("first/one");
        settings_.setAnswers("first/one", {{"heads", "4"}});
        for (int i = 0; i < 7; ++i)
            settings_.addRecentModel(QString::number(i));
        QCOMPARE(settings_.answers("first/one").size(), 1u);
        settings_.addRecentModel("last");
        QVERIFY(settings_.answers("first/one").empty());
    }
};

HEADSCOPE_WATCHED_TEST(ModelOpenerTest)
#include "model_opener_test.moc"
