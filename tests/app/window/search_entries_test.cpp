#include <QTest>

#include "app/window/search_entries.h"
#include "tests/registered_test.h"

using headscope::app::searched;
using headscope::app::SearchEntry;
using Kind = SearchEntry::Kind;

class SearchEntriesTest : public QObject {
    Q_OBJECT

    static std::vector<SearchEntry> some() {
        return {{.name = "Copy Picture", .summary = "Copy the view", .trigger = {}},
                {.name = "Export Picture",
                 .detail = "Ctrl+E",
                 .synonyms = {"font", "paper"},
                 .formerly = {"Ctrl+S"},
                 .summary = "Write PNG, SVG or PDF",
                 .trigger = {}},
                {.name = "Export Data", .whyNot = "Nothing is decoded.", .trigger = {}},
                {.name = "Hesitation", .trigger = {}},
                {.kind = Kind::Head, .name = "Head cross.1.1", .trigger = {}},
                {.kind = Kind::Head, .name = "Head cross.1.11", .trigger = {}},
                {.kind = Kind::Token, .name = "Tür", .trigger = {}},
                {.kind = Kind::Step, .name = "Step 5", .trigger = {}},
                {.kind = Kind::Model, .name = "tatoeba-en-de", .trigger = {}},
                {.kind = Kind::Page, .name = "Figures: Export of a picture", .trigger = {}}};
    }
    static QStringList found(const QString& typed) {
        QStringList names;
        const auto entries = some();
        for (const auto* entry : searched(entries, typed))
            names += entry->name;
        return names;
    }

  private Q_SLOTS:
    void aPrefixLimitsTheSearchToAKind() {
        QCOMPARE(found("> data"), QStringList("Export Data"));
        QCOMPARE(found("#1.1"), QStringList({"Head cross.1.1", "Head cross.1.11"}));
        QCOMPARE(found("@tur"), QStringList(QString::fromUtf8("Tür")));
        QCOMPARE(found(": 5"), QStringList("Step 5"));
        QCOMPARE(found("!tato"), QStringList("tatoeba-en-de"));
        QCOMPARE(found("@export"), QStringList());
    }

    void withoutWordsAllOfTheKindAreListedAndWithoutAPrefixTheActions() {
        QCOMPARE(found("#").size(), 2);
        QCOMPARE(found("").size(), 4);
        QCOMPARE(found("  "), found(">"));
    }

    void withoutAPrefixAllKindsAreSearchedTheManualLast() {
        QCOMPARE(found("export"),
                 QStringList({"Export Picture", "Export Data", "Figures: Export of a picture"}));
        QCOMPARE(found("cross.1.11").front(), QString("Head cross.1.11"));
        QCOMPARE(found("cross.1.1").front(), QString("Head cross.1.1"));
    }

    void wordsMayStandInAnyOrderAndInSynonyms() {
        QCOMPARE(found("picture exp").mid(0, 1), QStringList("Export Picture"));
        QCOMPARE(found("FONT"), QStringList("Export Picture"));
        QCOMPARE(found("svg"), QStringList("Export Picture"));
    }

    void anEarlierKeyFindsWhatItDid() { QCOMPARE(found("ctrl+s"), QStringList("Export Picture")); }

    void oneLetterMayBeWrongMissingAddedOrExchanged() {
        for (const char* typed : {"hesitasion", "hesitaton", "hesiitation", "hesitatoin", "hesitatio"})
            QCOMPARE(found(typed), QStringList("Hesitation"));
        QCOMPARE(found("hexitasion"), QStringList());
        QCOMPARE(found("besitation"), QStringList()); // the first letter counts
    }

    void lettersInTheirOrderFindWhatWordsDoNot() {
        QCOMPARE(found("expic").front(), QString("Export Picture"));
        QCOMPARE(found("cp"), QStringList("Copy Picture"));
        QCOMPARE(found("tca"), QStringList());
    }

    void someOfTheWordsFindWhatAllDoNot() {
        QCOMPARE(found("how do I export this"),
                 QStringList({"Export Picture", "Export Data", "Figures: Export of a picture"}));
        QCOMPARE(found("xyzzy"), QStringList());
    }
};

HEADSCOPE_TEST(SearchEntriesTest)
#include "search_entries_test.moc"
