#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include "widgets/decoding_options.h"

using namespace headscope;
using widgets::DecodingOptions;

class DecodingOptionsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<DecodingOptions> options_;
    trace::Decoding marian_;

    void choose(int way) {
        auto* box = options_->findChild<QComboBox*>();
        box->setCurrentIndex(way);
        Q_EMIT box->activated(way);
    }

  private Q_SLOTS:
    void init() {
        options_ = std::make_unique<DecodingOptions>();
        marian_ = {.beam = 6, .lengthPenalty = 1, .rule = trace::BeamRule::GenerateHeuristic, .forcedEnd = 0};
        options_->setDefaults(marian_, 512);
    }

    void whatIsSetIsReadBack() {
        QSignalSpy changes(options_.get(), &DecodingOptions::decodingChanged);
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
        QSignalSpy changes(options_.get(), &DecodingOptions::decodingChanged);
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

    void theModelsDefaultsComeBack() {
        options_->setDecoding({.noRepeat = 3}, 60);
        QSignalSpy changes(options_.get(), &DecodingOptions::decodingChanged);
        options_->findChild<QPushButton*>()->click();
        QVERIFY(options_->decoding() == marian_);
        QCOMPARE(options_->newTokens(), 512);
        QCOMPARE(changes.size(), 1);
        QVERIFY(!options_->findChild<QPushButton*>()->isEnabled());
    }
};

QTEST_MAIN(DecodingOptionsTest)
#include "decoding_options_test.moc"
