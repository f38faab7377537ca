#include <QTest>

#include "app/choices/animation.h"
#include "tests/registered_test.h"

using namespace headscope;
using trace::AttentionKind;
using widgets::ChoiceValue;
using widgets::PictureOptions;
using widgets::StaticReason;

class AnimationTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress encoder_{{AttentionKind::EncoderSelf, 0}, 0};
    static constexpr trace::HeadAddress cross_{{AttentionKind::Cross, 0}, 0};

    static PictureOptions of(const char* view, const std::optional<trace::HeadAddress>& head = {}) {
        return {.view = view, .head = head};
    }

  private Q_SLOTS:
    void whatIsOfAnEncodersHeadAloneIsNoAnimation() {
        for (const char* view :
             {"heatmap", "lines", "masks", "contact-sheet", "arithmetic", "random-twin", "compare"}) {
            QCOMPARE(app::staticReason(of(view, encoder_)), StaticReason::OfEncoder);
            QCOMPARE(app::staticReason(of(view, cross_)), StaticReason::None);
            QCOMPARE(app::staticReason(of(view)), StaticReason::None); // of the best-aligning head
        }
        auto temperature = of("scale", encoder_);
        temperature.choices["page"] = std::string("temperature");
        QCOMPARE(app::staticReason(temperature), StaticReason::OfEncoder);
        for (const char* view : {"overview", "logit-lens", "architecture", "candidates"})
            QCOMPARE(app::staticReason(of(view, encoder_)), StaticReason::None); // where it is not alone
    }

    void anEncodersHeadBesideOthersIsAAnimation() {
        auto pinned = of("heatmap", encoder_);
        pinned.pinned = {{{AttentionKind::EncoderSelf, 1}, 3}};
        QCOMPARE(app::staticReason(pinned), StaticReason::OfEncoder);
        pinned.pinned.push_back(cross_);
        QCOMPARE(app::staticReason(pinned), StaticReason::None);
    }

    void anEncodersMapThatIsOfTheStepIsAAnimation() {
        for (const char* view : {"heatmap", "random-twin"}) {
            auto gradient = of(view, encoder_);
            gradient.choices["quantity"] = std::string("gradient");
            QCOMPARE(app::staticReason(gradient), StaticReason::None);
        }
        auto sheet = of("contact-sheet", encoder_);
        sheet.choices = {{"tinted", true}};
        QCOMPARE(app::staticReason(sheet), StaticReason::None);
        sheet.choices["importance-of"] = std::string("sentence");
        QCOMPARE(app::staticReason(sheet), StaticReason::OfEncoder);
        sheet.choices = {{"tinted", true}, {"by", std::string("entropy")}};
        QCOMPARE(app::staticReason(sheet), StaticReason::OfEncoder);
    }

    void aPinnedRowThatIsExplainedIsNoAnimation() {
        for (const char* view : {"arithmetic", "scale"}) {
            auto pinned = of(view, cross_);
            pinned.choices["page"] = std::string("temperature");
            pinned.key = 1;
            QCOMPARE(app::staticReason(pinned), StaticReason::None); // the row is that of the step
            pinned.query = 1;
            QCOMPARE(app::staticReason(pinned), StaticReason::OfPinnedRow);
            pinned.query.reset();
            pinned.cell = {1, 1};
            QCOMPARE(app::staticReason(pinned), StaticReason::OfPinnedRow);
        }
        auto marked = of("heatmap", cross_); // where it is marked, and the others come
        marked.cell = {1, 1};
        QCOMPARE(app::staticReason(marked), StaticReason::None);
    }

    void everyReasonHasAWayOutOfTheWindowAndOfTheCommandLine() {
        for (const auto why :
             {StaticReason::ComparesWithStep, StaticReason::OfWhole, StaticReason::OfWholeOutput,
              StaticReason::OfWholePage, StaticReason::OfEncoder, StaticReason::OfPinnedRow}) {
            const auto words = app::inWords(why);
            QVERIFY(*words.why && *words.inWindow && *words.onCommandLine);
            QVERIFY(std::string(words.inWindow).find("--") == std::string::npos); // options
        }
        QVERIFY(!*app::inWords(StaticReason::None).why);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, AnimationTest)
#include "animation_test.moc"
