#include <QTest>

#include "model/analysis/maps/token_alignment.h"
#include "model/trace/refusal.h"
#include "tests/model/analysis/hand_made_maps.h"
#include "tests/registered_test.h"

using namespace headscope;
using analysis::AlignBy;
using analysis::AlignedPlace;
using hand_made::pieces;
using trace::AttentionKind;
using trace::Token;
using trace::TokenRole;

namespace {

std::vector<Token> named(std::initializer_list<std::string> names) {
    std::vector<Token> tokens;
    for (const auto& name : names)
        tokens.push_back({.piece = name});
    return tokens;
}

/// "a b|x -c d-": equal, replaced, only in the second, only in the first.
std::string drawn(const std::string& first, const std::string& second) {
    const auto axis = analysis::alignTokens(pieces(first), pieces(second), AlignBy::Pieces);
    std::string words;
    for (const AlignedPlace& place : axis.places) {
        const std::string one = place.first ? axis.first[*place.first].text : "-";
        const std::string other = place.second ? axis.second[*place.second].text : "-";
        words += (words.empty() ? "" : " ") + (place.same                   ? one
                                               : one == "-" || other == "-" ? one + other
                                                                            : one + "|" + other);
    }
    return words;
}

} // namespace

class TokenAlignmentTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void equalTokensStandBesideEachOther() {
        QCOMPARE(drawn("abc", "abc"), "a b c");
        QCOMPARE(drawn("abcd", "acd"), "a b- c d");
        QCOMPARE(drawn("acd", "abcd"), "a -b c d");
        QCOMPARE(drawn("", "ab"), "-a -b");
    }

    void asManyBetweenThemAreReplaced() {
        QCOMPARE(drawn("abcd", "axyd"), "a b|x c|y d");
        QCOMPARE(drawn("abcd", "axd"), "a b- c- -x d");
        QCOMPARE(drawn("ab", "cd"), "a|c b|d");
    }

    /// Of several longest common subsequences, the one with the leftmost pairs.
    void tiesAreBrokenLeftmost() {
        QCOMPARE(drawn("ab", "ba"), "-b a b-");
        QCOMPARE(drawn("xa", "aya"), "x- a -y -a");
        QCOMPARE(drawn("aa", "a"), "a a-");
    }

    void noCommonSubsequenceIsLonger_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<int>("length");
        QTest::newRow("classic") << "ABCBDAB"
                                 << "BDCABA" << 4;
        QTest::newRow("another") << "XMJYAUZ"
                                 << "MZJAWXU" << 4;
        QTest::newRow("none") << "abc"
                              << "xyz" << 0;
    }

    void noCommonSubsequenceIsLonger() {
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(int, length);
        const auto axis =
            analysis::alignTokens(pieces(first.toStdString()), pieces(second.toStdString()), AlignBy::Pieces);
        QCOMPARE(std::ranges::count_if(axis.places, &AlignedPlace::same), length);
        std::size_t one = 0, other = 0; // every token once, in order
        for (const AlignedPlace& place : axis.places) {
            if (place.first)
                QCOMPARE(*place.first, one++);
            if (place.second)
                QCOMPARE(*place.second, other++);
        }
        QCOMPARE(one, axis.first.size());
        QCOMPARE(other, axis.second.size());
    }

    void specialTokensAreEqualByTheirRole() {
        auto first = pieces("a");
        auto second = pieces("a");
        first.push_back({.piece = "</s>", .role = TokenRole::End});
        second.push_back({.piece = "<eos>", .role = TokenRole::End});
        first.push_back({.piece = "<pad>", .role = TokenRole::Padding});
        const auto axis = analysis::alignTokens(first, second, AlignBy::Pieces);
        QCOMPARE(axis.places.size(), 2u); // padding is not listed
        QVERIFY(axis.places[1].same);
        QCOMPARE(axis.pairs(), 2u);
    }

    /// Marian starts with its padding token.
    void whatADecoderIsFedFirstIsItsStart() {
        const std::vector<Token> first{{.piece = "<pad>", .role = TokenRole::Padding}, {.piece = "a"}};
        const std::vector<Token> second{{.piece = "<s>", .role = TokenRole::Start}, {.piece = "a"}};
        const auto axis = analysis::alignTokens(first, second, AlignBy::Pieces);
        QCOMPARE(axis.places.size(), 2u);
        QVERIFY(axis.places[0].same);
    }

    void piecesOfAWordCountTogether() {
        const auto first = named({"▁The", "▁daugh", "ter", "."});
        const auto second = named({"▁The", "▁daughter", "."});
        const auto axis = analysis::alignTokens(first, second, AlignBy::Words);
        QCOMPARE(axis.places.size(), 3u);
        QVERIFY(std::ranges::all_of(axis.places, &AlignedPlace::same));
        QCOMPARE(axis.first[1].text, std::string("daughter"));
        QCOMPARE(axis.first[1].tokens, (analysis::MapSpan{1, 3}));
    }

    void twoModelsAreAlignedByWordsWhereTheirIdsMeanOtherPieces() {
        trace::Run first, second;
        first.source = second.source = {{.id = 5, .piece = "▁a"}};
        const auto model = std::make_shared<trace::ModelSummary>();
        first.model = second.model = model;
        QVERIFY(analysis::alignedBy(first, second) == AlignBy::Pieces);
        second.model = std::make_shared<trace::ModelSummary>();
        QVERIFY(analysis::alignedBy(first, second) == AlignBy::Pieces);
        second.source[0].piece = "▁b";
        QVERIFY(analysis::alignedBy(first, second) == AlignBy::Words);
        second.source[0].piece = "▁a";
        auto larger = std::make_shared<trace::ModelSummary>();
        larger->targetVocabulary = 9;
        second.model = larger;
        QVERIFY(analysis::alignedBy(first, second) == AlignBy::Words);
    }

    void twoStepsAreOneRowEachOverTheSameKeys() {
        trace::Run run;
        run.source = pieces("abc");
        run.target = pieces("sxyz");
        run.next = pieces("xyze");
        const auto alignment = analysis::alignSteps(run, 1, 3);
        const auto& rows = alignment.queriesOf(AttentionKind::Cross).places;
        QCOMPARE(rows.size(), 1u);
        QCOMPARE(*rows[0].first, 1u);
        QCOMPARE(*rows[0].second, 3u);
        QVERIFY(!rows[0].same);
        QCOMPARE(alignment.keysOf(AttentionKind::DecoderSelf).pairs(), 4u);
        QVERIFY(alignment.queriesOf(AttentionKind::EncoderSelf).places.empty());
    }

    void alignedIsStoppedWithinARow() {
        std::stop_source stopped;
        stopped.request_stop();
        trace::Run run;
        run.source = pieces("abc");
        QVERIFY_EXCEPTION_THROWN(analysis::alignRuns(run, run, stopped.get_token()), trace::Cancelled);
    }

    void rowsThatWereFedPaddingAreNoRows() {
        trace::Run first, second;
        first.source = second.source = pieces("a");
        first.target = second.target = pieces("sx");
        first.next = second.next = pieces("xe");
        second.target.push_back({.piece = "<pad>", .role = TokenRole::Padding});
        second.next.push_back({.id = 'q', .piece = "q"});
        const auto alignment = analysis::alignRuns(first, second);
        QCOMPARE(alignment.queriesOf(AttentionKind::Cross).places.size(), 2u);
        QCOMPARE(alignment.queriesOf(AttentionKind::DecoderSelf).places.size(), 2u);
    }
};

HEADSCOPE_TEST(TokenAlignmentTest)
#include "token_alignment_test.moc"
