#include <QTest>

#include "app/choices/no_film.h"
#include "tests/registered_test.h"

using namespace headscope;
using trace::AttentionKind;
using widgets::ChoiceValue;
using widgets::NoFilm;
using widgets::PictureOptions;

class NoFilmTest : public QObject {
    Q_OBJECT

    static constexpr trace::HeadAddress encoder_{{AttentionKind::EncoderSelf, 0}, 0};
    static constexpr trace::HeadAddress cross_{{AttentionKind::Cross, 0}, 0};

    static PictureOptions of(const char* view, const std::optional<trace::HeadAddress>& head = {}) {
        return {.view = view, .head = head};
    }

  private Q_SLOTS:
    void whatIsOfAnEncodersHeadAloneIsNoFilm() {
        for (const char* view :
             {"heatmap", "lines", "masks", "contact-sheet", "arithmetic", "random-twin", "compare"}) {
            QCOMPARE(app::whyNoFilm(of(view, encoder_)), NoFilm::OfEncoder);
            QCOMPARE(app::whyNoFilm(of(view, cross_)), NoFilm::None);
            QCOMPARE(app::whyNoFilm(of(view)), NoFilm::None); // of the best-aligning head
        }
        auto temperature = of("scale", encoder_);
        temperature.page = "temperature";
        QCOMPARE(app::whyNoFilm(temperature), NoFilm::OfEncoder);
        for (const char* view : {"overview", "logit-lens", "architecture", "candidates"})
            QCOMPARE(app::whyNoFilm(of(view, encoder_)), NoFilm::None); // where it is not alone
    }

    void anEncodersHeadBesideOthersIsAFilm() {
        auto pinned = of("heatmap", encoder_);
        pinned.pinned = {{{AttentionKind::EncoderSelf, 1}, 3}};
        QCOMPARE(app::whyNoFilm(pinned), NoFilm::OfEncoder);
        pinned.pinned.push_back(cross_);
        QCOMPARE(app::whyNoFilm(pinned), NoFilm::None);
    }

    void anEncodersMapThatIsOfTheStepIsAFilm() {
        for (const char* view : {"heatmap", "random-twin"}) {
            auto gradient = of(view, encoder_);
            gradient.quantity = "gradient";
            QCOMPARE(app::whyNoFilm(gradient), NoFilm::None);
        }
        auto sheet = of("contact-sheet", encoder_);
        sheet.choices = {{"tinted", true}};
        QCOMPARE(app::whyNoFilm(sheet), NoFilm::None);
        sheet.choices["importance-of"] = std::string("sentence");
        QCOMPARE(app::whyNoFilm(sheet), NoFilm::OfEncoder);
        sheet.choices = {{"tinted", true}, {"by", std::string("entropy")}};
        QCOMPARE(app::whyNoFilm(sheet), NoFilm::OfEncoder);
    }

    void aPinnedRowThatIsExplainedIsNoFilm() {
        for (const char* view : {"arithmetic", "scale"}) {
            auto pinned = of(view, cross_);
            pinned.page = "temperature";
            pinned.key = 1;
            QCOMPARE(app::whyNoFilm(pinned), NoFilm::None); // the row is that of the step
            pinned.query = 1;
            QCOMPARE(app::whyNoFilm(pinned), NoFilm::OfPinnedRow);
            pinned.query.reset();
            pinned.cell = {1, 1};
            QCOMPARE(app::whyNoFilm(pinned), NoFilm::OfPinnedRow);
        }
        auto marked = of("heatmap", cross_); // where it is marked, and the others come
        marked.cell = {1, 1};
        QCOMPARE(app::whyNoFilm(marked), NoFilm::None);
    }

    void everyReasonHasAWayOutOfTheWindowAndOfTheCommandLine() {
        for (const auto why : {NoFilm::ComparesWithStep, NoFilm::OfWhole, NoFilm::OfWholeOutput,
                               NoFilm::OfWholePage, NoFilm::OfEncoder, NoFilm::OfPinnedRow}) {
            const auto words = app::inWords(why);
            QVERIFY(*words.why && *words.inWindow && *words.onCommandLine);
            QVERIFY(std::string(words.inWindow).find("--") == std::string::npos); // options
        }
        QVERIFY(!*app::inWords(NoFilm::None).why);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, NoFilmTest)
#include "no_film_test.moc"
