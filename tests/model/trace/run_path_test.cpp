#include <QTest>

#include "model/trace/run_path.h"
#include "tests/registered_test.h"

using namespace headscope::trace;

/// 0 -> 1 -> 2 (not fed) and 0 -> 1 -> 3 -> 4 (not fed).
class RunPathTest : public QObject {
    Q_OBJECT

    Run run_;

    static std::shared_ptr<const DecodeRow> row(std::size_t length) {
        AttentionRecord cross{.site = {AttentionKind::Cross, 0}, .mask = MaskMatrix(1, 2, 1)};
        cross.weights = HeadStack(1, 1, 2, {static_cast<float>(length), 0});
        auto made = std::make_shared<DecodeRow>();
        made->cross = {cross};
        made->candidates = {{.token = {.id = 99}}};
        return made;
    }

    static Token token(std::int64_t id, const char* piece) { return {.id = id, .piece = piece}; }

  private Q_SLOTS:
    void init() {
        run_ = {};
        run_.tree.add({.token = {.id = 0, .role = TokenRole::Start}, .row = row(1)});
        run_.tree.add({.parent = 0, .token = token(1, "▁one"), .row = row(2)});
        run_.tree.add({.parent = 1, .token = token(2, "▁two")});
        run_.tree.add({.parent = 1, .token = token(3, "▁three"), .row = row(3)});
        run_.tree.add({.parent = 3, .token = token(4, "s")});
        run_.request.paths = {{}, {}};
        run_.paths = {{.leaf = 2, .output = "one two"}, {.leaf = 4, .output = "one threes"}};
        showPath(run_, run_.paths.back());
    }

    void theTokensOfThePathAreShown() {
        QCOMPARE(run_.target.size(), 3u);
        QCOMPARE(run_.next.back().id, 4);
        QCOMPARE(run_.cross.front().weights.rows(), 3u);
        QCOMPARE(shownPath(run_), std::optional<std::size_t>(1));
    }

    void anotherPathHasItsOwnRows() {
        const auto other = atPath(run_, 2);
        QCOMPARE(other->target.size(), 2u);
        QCOMPARE(other->next.back().id, 2);
        QCOMPARE(other->cross.front().weights.rows(), 2u);
        QCOMPARE(other->output, std::string("one two"));
        QCOMPARE(shownPath(*other), std::optional<std::size_t>(0));
        QCOMPARE(run_.target.size(), 3u); // untouched
    }

    void aNodeThatIsNoPathsEndIsShownWithItsPiecesAsText() {
        const auto other = atPath(run_, 3);
        QVERIFY(!shownPath(*other));
        QCOMPARE(other->output, std::string("one three"));
        QCOMPARE(other->next[1].id, 3);
        QCOMPARE(other->next[2].id, 99); // no choice followed it, so the most probable token
    }

    void aForcedTargetChoseNothing() {
        RunPath forced = run_.paths.back();
        forced.forcedTokens = 4;
        forced.decodedOn = false;
        QVERIFY(!readsReference(run_));
        showPath(run_, forced);
        run_.paths.back() = forced;
        QVERIFY(readsReference(run_));
        QCOMPARE(run_.next.front().id, 99);
        QCOMPARE(run_.forcedRows, 3u);
    }

    void onlyThePaddingThatWasAskedForIsLeftOut() {
        const Token pad{.id = 9, .role = TokenRole::Padding};
        const auto typed = run_.tree.add({.parent = 4, .token = pad, .row = row(4)});
        const auto appended = run_.tree.add({.parent = typed, .token = pad, .row = row(5)});
        run_.request.padding.target = 1;
        showPath(run_, {.leaf = appended});
        QCOMPARE(pathWithoutPadding(run_), (std::vector<DecodeTree::NodeId>{0, 1, 3, 4, typed}));
        showPath(run_, {.leaf = 4}); // a path chosen in the tree may end before the padding
        QCOMPARE(pathWithoutPadding(run_), (std::vector<DecodeTree::NodeId>{0, 1, 3, 4}));
        run_.request.padding.target = 0;
        showPath(run_, {.leaf = appended});
        QCOMPARE(pathWithoutPadding(run_), run_.path);
    }

    void theLastPathThatWasSearchedIsTheSearch() {
        QVERIFY(!searchedPath(run_));
        run_.paths.push_back({.leaf = 2});
        run_.paths[0].searched = true;
        QCOMPARE(searchedPath(run_), std::optional<std::size_t>(0));
        run_.paths[1].searched = true;
        QCOMPARE(searchedPath(run_), std::optional<std::size_t>(1));
    }

    void withTheMaskLiftedRowsBelongToOnePathOnly() {
        QVERIFY(canShowEveryPath(run_));
        run_.request.interventions = {{.change = LiftMask{}}};
        QVERIFY(!canShowEveryPath(run_));
    }

    void wordsWithoutSpaceMarksAreJoinedBySpaces() {
        QCOMPARE(joinedText({token(1, "ein"), token(2, "Buch")}), std::string("ein Buch"));
        QCOMPARE(joinedText({token(1, "▁ein"), token(2, "es"), {.piece = "</s>", .role = TokenRole::End}}),
                 std::string("eines"));
    }
};

HEADSCOPE_TEST(RunPathTest)
#include "run_path_test.moc"
