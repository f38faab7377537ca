#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/views/what_if/change_editor.h"
#include "widgets/views/what_if/proposed_changes.h"
#include "widgets/words/change_words.h"

using namespace headscope;
using namespace headscope::widgets;

class ChangeEditorTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const trace::Run> run_ = example::run();

    std::unique_ptr<ChangeEditor> editor(const trace::Change& change) {
        return std::make_unique<ChangeEditor>(change, run_->model, run_);
    }

    template <class Widget>
    static Widget* named(const ChangeEditor& editor, const char* name) {
        for (auto* widget : editor.findChildren<Widget*>())
            if (widget->accessibleName() == name)
                return widget;
        qFatal("there is no field \"%s\"", name);
    }

  private Q_SLOTS:
    void anEditorGivesBackWhatItBeganWith_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("argument");
        for (const auto& [option, argument] : std::initializer_list<std::pair<const char*, const char*>>{
                 {"--disable-head", "cross.2.5"},
                 {"--scale-head", "encoder.1.7=0.25"},
                 {"--scale-head", "decoder.0.0=1.5"},
                 {"--scale-sublayer", "decoder-ff.2=0.5"},
                 {"--block", "cross.0.1:3,4"},
                 {"--block", "cross.0.1:600,4"},
                 {"--force-row", "decoder.0.1:3=uniform"},
                 {"--force-row", "encoder.0.1:3=argmax"},
                 {"--force-row", "cross.0.1:3=2"},
                 {"--mean-head", "cross.2.5"},
                 {"--resample-head", "cross.2.5=The dogs are hungry."},
                 {"--no-mask", ""},
                 {"--no-scaling", ""},
                 {"--score-scale", "0.5"},
                 {"--softmax-temperature", "2"},
                 {"--positions", "none"},
                 {"--positions", "shuffle:7"},
                 {"--positions", "shift:-3"}})
            QTest::addRow("%s %s", option, argument) << option << argument;
    }

    void anEditorGivesBackWhatItBeganWith() {
        QFETCH(QString, option);
        QFETCH(QString, argument);
        const auto change = trace::parseChange({option.toStdString(), argument.toStdString()});
        QCOMPARE(changeOption(editor(change)->change()), changeOption(change));
    }

    void aSliderAndANumberAreOneFactor() {
        const auto shown = editor(trace::ScaleHead{.head = example::aligningHead});
        shown->findChild<QSlider*>()->setValue(30);
        QCOMPARE(std::get<trace::ScaleHead>(shown->change()).factor, 0.3);
        shown->findChild<QDoubleSpinBox*>()->setValue(0.125);
        QCOMPARE(std::get<trace::ScaleHead>(shown->change()).factor, 0.125);
        QCOMPARE(shown->findChild<QSlider*>()->value(), 12);
    }

    void rowsAndKeysAreOfferedByTheirTokens() {
        const auto shown = editor(trace::BlockCell{.head = example::aligningHead, .query = 5, .key = 5});
        QVERIFY(named<QComboBox>(*shown, "Row")->currentText().contains("Tochter"));
        QVERIFY(named<QComboBox>(*shown, "Masked key")->currentText().contains("daughter"));
        named<QComboBox>(*shown, "Kind of attention")->setCurrentIndex(0); // the encoder: source tokens
        QVERIFY(named<QComboBox>(*shown, "Row")->currentText().contains("daughter"));
        QCOMPARE(std::get<trace::BlockCell>(shown->change()).query, 5u);
    }

    void anotherSentenceMustBeTyped() {
        const auto shown = editor(trace::ReplaceHead{.head = example::aligningHead, .sentence = ""});
        const auto* ok = shown->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QVERIFY(!ok->isEnabled() && !ok->toolTip().isEmpty());
        named<QLineEdit>(*shown, "Sentence")->setText("The dogs are hungry.");
        QVERIFY(ok->isEnabled());
    }

    void whatIsProposedIsMadeForWhatIsLookedAt() {
        Selection selection;
        selection.setHead(example::aligningHead);
        selection.setStep(4);
        selection.togglePinned({.sourceKey = 6, .targetQuery = 3});
        const auto isProposed = [all =
                                     proposedChanges(selection, *run_->model)](const trace::Change& change) {
            return std::ranges::count(all, change, &ProposedChange::change) == 1;
        };
        QVERIFY(isProposed(trace::BlockCell{example::aligningHead, 3, 6}));
        QVERIFY(isProposed(trace::ScaleHead{.head = example::aligningHead}));
        trace::ModelSummary encoderOnly{.encoderLayers = 1, .encoderHeads = 1};
        QCOMPARE(proposedChanges(selection, encoderOnly).size(),
                 proposedChanges(selection, *run_->model).size() - 1);
    }
};

HEADSCOPE_WATCHED_TEST(ChangeEditorTest)
#include "change_editor_test.moc"
