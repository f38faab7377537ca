#include <QAbstractButton>
#include <QButtonGroup>
#include <QFormLayout>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "tests/watched_test.h"
#include "widgets/controls/decoding_editor.h"
#include "widgets/controls/plain_spin_boxes.h"

#include <limits>

using namespace headscope;
using widgets::DecodingEditor;

class DecodingEditorTest : public QObject {
    Q_OBJECT

    std::unique_ptr<DecodingEditor> options_;
    trace::Decoding marian_;

    void choose(int way) { options_->findChild<QButtonGroup*>()->button(way)->click(); }

  private Q_SLOTS:
    void init() {
        options_ = std::make_unique<DecodingEditor>();
        marian_ = {.beam = 6, .lengthPenalty = 1, .rule = trace::BeamRule::GenerateHeuristic, .forcedEnd = 0};
        options_->setDefaults(marian_, 512);
    }

    void whatIsSetIsReadBack() {
        QSignalSpy changes(options_.get(), &DecodingEditor::decodingChanged);
        options_->setDecoding(marian_, 100);
        QVERIFY(options_->decoding() == marian_);
        QCOMPARE(options_->newTokens(), 100);
        QCOMPARE(changes.size(), 0);
    }

    void theModelsOwnRulesStay() {
        options_->setDecoding(marian_, 512);
        choose(0);
        QCOMPARE(options_->decoding().beam, 1);
        QVERIFY(options_->decoding().rule == trace::BeamRule::GenerateHeuristic);
        QCOMPARE(options_->decoding().forcedEnd, std::optional<std::int64_t>(0));
    }

    void aBeamBeginsAsTheModelsOwn() {
        options_->setDecoding({}, 60);
        QSignalSpy changes(options_.get(), &DecodingEditor::decodingChanged);
        choose(1);
        QCOMPARE(options_->decoding().beam, 6);
        QCOMPARE(changes.size(), 1);
    }

    void samplingHasNoBeam() {
        options_->setDecoding(marian_, 60);
        choose(2);
        QVERIFY(options_->decoding().sample);
        QCOMPARE(options_->decoding().beam, 1);
        QCOMPARE(widgets::decodingTitle(options_->decoding()), QString("Sampling"));
    }

    void onlyWhatAPersonChangesIsChanged() {
        const trace::Decoding precise{
            .beam = 1200, .lengthPenalty = 0.123456789012, .noRepeat = 40, .seed = 1ULL << 63};
        options_->setDefaults(precise, 2'000'000);
        options_->setDecoding(precise, 2'000'000);
        auto expected = precise;
        expected.minimumLength = 3;
        for (auto* box : options_->findChildren<QSpinBox*>())
            if (box->accessibleName() == "Minimum length")
                box->setValue(3);
        QVERIFY(options_->decoding() == expected);
        QCOMPARE(options_->newTokens(), 2'000'000);
        options_->findChild<QPushButton*>()->click();
        QVERIFY(options_->decoding() == precise);
    }

    void numbersHaveTheDigitsTheyNeed() {
        options_->setDecoding({.sample = true, .temperature = 0.0625, .topP = 0.9}, 60);
        QStringList texts;
        for (const auto* box : options_->findChildren<QDoubleSpinBox*>())
            texts += box->text();
        QVERIFY2(texts.contains("0.0625") && texts.contains("0.9"), qPrintable(texts.join(' ')));
    }

    void aSeedMayBeAnyThereIs() {
        options_->setDecoding({.sample = true}, 60);
        auto* seed = options_->findChild<widgets::SeedBox*>();
        seed->stepBy(-1);
        QCOMPARE(options_->decoding().seed, 0u);
        seed->selectAll();
        QTest::keyClicks(seed, "18446744073709551615");
        QTest::keyClick(seed, Qt::Key_Return);
        QCOMPARE(options_->decoding().seed, std::numeric_limits<std::uint64_t>::max());
        seed->stepBy(1);
        QCOMPARE(options_->decoding().seed, std::numeric_limits<std::uint64_t>::max());
        QTest::keyClicks(seed, "x-");
        QCOMPARE(seed->text(), "18446744073709551615");
    }

    void everyControlStandsInTheForm() {
        const auto* form = options_->findChild<QFormLayout*>();
        const auto controls = options_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
        QVERIFY(controls.size() > 20); // ten fields with their labels, and what is below them
        for (auto* control : controls)
            QVERIFY2(form->indexOf(control) >= 0, control->metaObject()->className());
    }

    void aSeedOfEightDigitsIsSeenWhole() {
        const auto* seed = options_->findChild<widgets::SeedBox*>();
        QVERIFY(seed->sizeHint().width() > seed->fontMetrics().horizontalAdvance("00000000"));
    }

    void theModelsDefaultsComeBack() {
        options_->setDecoding({.noRepeat = 3}, 60);
        QSignalSpy changes(options_.get(), &DecodingEditor::decodingChanged);
        options_->findChild<QPushButton*>()->click();
        QVERIFY(options_->decoding() == marian_);
        QCOMPARE(options_->newTokens(), 512);
        QCOMPARE(changes.size(), 1);
        QVERIFY(!options_->findChild<QPushButton*>()->isEnabled());
    }
};

HEADSCOPE_WATCHED_TEST(DecodingEditorTest)
#include "decoding_editor_test.moc"
