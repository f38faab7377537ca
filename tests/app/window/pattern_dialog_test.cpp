#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTest>

#include "app/window/main_window.h"
#include "app/window/pattern_dialog.h"
#include "tests/app/window/fake_engine.h"
#include "tests/watched_test.h"
#include "widgets/controls/token_strip.h"

using namespace headscope;
using app::PatternDialog;

class PatternDialogTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void thePatternIsCheckedAndShownAsItIsTyped() {
        test::FakeEngine::Script script;
        app::WorkQueue queue([&] { return std::make_unique<test::FakeEngine>(script); });
        queue.start();
        PatternDialog dialog(&queue, {}, "CCn", nullptr);
        dialog.show();
        auto* field = dialog.findChild<QLineEdit*>();
        const auto* strip = dialog.findChild<widgets::TokenStrip*>();
        const auto words = [&] {
            QStringList all;
            for (const auto* label : dialog.findChildren<QLabel*>())
                all += label->text();
            return all.join('\n');
        };
        const auto canUse = [&] {
            for (const auto* button : dialog.findChildren<QPushButton*>())
                if (button->text() == "&Use")
                    return button->isEnabled();
            return false;
        };
        QVERIFY(canUse()); // as the model's files say
        field->setText("(");
        QVERIFY(!canUse());
        QTRY_VERIFY(words().contains("a regular expression."));
        QVERIFY(!canUse());
        field->setText(".");
        QTRY_VERIFY(canUse());
        QCOMPARE(strip->columnCount(), 3);
        QVERIFY2(words().contains("does not know 2"), qPrintable(words()));
        QCOMPARE(dialog.pattern(), QString("."));
        field->clear();
        QVERIFY(canUse() && strip->columnCount() == 0);
    }

    void itIsOfferedForModelsWhoseTextCanBeSplitOtherwise() {
        for (const auto& [model, isOffered] :
             {std::pair("a-model", true), {"a-model.gguf", false}, {"a-model-of-ids", false}}) {
            QSettings().clear();
            test::FakeEngine::Script script;
            app::MainWindow window([&] { return std::make_unique<test::FakeEngine>(script); },
                                   app::StartWith{.model = model, .sentence = QString("1 2 3")});
            window.show();
            QTRY_VERIFY(window.controller()->run() && window.controller()->run()->complete);
            QVERIFY2(window.actions()[app::ActionId::SplitByPattern]->isEnabled() == isOffered, model);
        }
    }
};

HEADSCOPE_WATCHED_TEST(PatternDialogTest)
#include "pattern_dialog_test.moc"
