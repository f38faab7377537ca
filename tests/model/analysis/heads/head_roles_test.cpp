#include <QTest>

#include "model/analysis/heads/head_roles.h"
#include "tests/model/analysis/hand_made_maps.h"
#include "tests/registered_test.h"

using namespace headscope;
using namespace headscope::hand_made;
using analysis::HeadRole;
using analysis::RoleKind;
using trace::AttentionKind;

namespace {

/// Roles of a map's only head with these tokens as rows and columns.
std::vector<HeadRole> roles(trace::AttentionRecord record, const std::vector<trace::Token>& queries,
                            const std::vector<trace::Token>& keys) {
    trace::Run run;
    run.source = keys;
    run.target = record.site.kind == AttentionKind::EncoderSelf ? std::vector<trace::Token>() : queries;
    auto& records = record.site.kind == AttentionKind::EncoderSelf   ? run.encoder
                    : record.site.kind == AttentionKind::DecoderSelf ? run.decoder
                                                                     : run.cross;
    records.push_back(std::move(record));
    return analysis::rolesOf(analysis::statisticsOfHeads(run).front());
}

std::vector<HeadRole> selfRoles(AttentionKind kind, const std::vector<trace::Token>& tokens,
                                const std::function<double(std::size_t, std::size_t)>& weight) {
    return roles(map(kind, tokens.size(), tokens.size(), weight), tokens, tokens);
}

bool isOnly(const std::vector<HeadRole>& roles, RoleKind kind) {
    return roles.size() == 1 && roles.front().kind == kind;
}

} // namespace

class HeadRolesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aShiftedIdentityIsPositionalAndNothingElse() {
        for (const auto kind : {encoder, decoder}) {
            const auto found = selfRoles(kind, words(12), shifted);
            QVERIFY(isOnly(found, RoleKind::Positional));
            QCOMPARE(found.front().offset, -1);
            QVERIFY(found.front().number > 0.99);
            QCOMPARE(found.front().uniform, std::optional(0.0));
        }
    }

    void oneColumnIsTheRoleOfItsToken() {
        auto tokens = sentence(12);
        tokens[0].role = trace::TokenRole::Start;
        tokens[10].piece = "!";
        using analysis::SinkToken;
        // Each is a sink, with the kind of its token.
        const auto isSinkAnd = [&](std::size_t key, RoleKind kind, SinkToken token) {
            const auto found = selfRoles(encoder, tokens, column(key));
            return found.size() == 2 && found[0].kind == kind && found[1].kind == RoleKind::Sink &&
                   found[1].sinkToken == token && found[1].number > 0.99;
        };
        QVERIFY(isSinkAnd(11, RoleKind::End, SinkToken::End));
        QVERIFY(isSinkAnd(0, RoleKind::Start, SinkToken::Start));
        QVERIFY(isSinkAnd(10, RoleKind::Punctuation, SinkToken::Punctuation));
        const auto text = selfRoles(encoder, tokens, column(4));
        QVERIFY(isOnly(text, RoleKind::Sink) && text.front().sinkToken == SinkToken::Text);
    }

    void whatRunsAgainstTheSourceIsReversedOnlyIfItIsSure() {
        const auto against = [](std::size_t query, std::size_t key) { return key + query == 8 ? 1.0 : 0.0; };
        const auto found = roles(map(AttentionKind::Cross, 9, 10, against), words(9), sentence(10));
        QVERIFY(isOnly(found, RoleKind::Reversed));
        QVERIFY(found.front().number < -0.99 && found.front().confidence > 0.99);
        const auto faint = [](std::size_t query, std::size_t key) { return key + query == 8 ? 1.5 : 1.0; };
        for (const auto& role : roles(map(AttentionKind::Cross, 9, 10, faint), words(9), sentence(10)))
            QVERIFY(role.kind != RoleKind::Reversed);
    }

    void aHeadHasARoleFromANearnessOfOneOn() {
        const auto near = [](double monotony, double confidence) {
            analysis::HeadStatistics statistics;
            statistics.values[analysis::Statistic::Monotony] = monotony;
            statistics.values[analysis::Statistic::Confidence] = confidence;
            return std::pair(*analysis::nearness({.kind = RoleKind::Reversed}, statistics),
                             analysis::rolesOf(statistics).size());
        };
        QCOMPARE(near(-0.8, 0.5), std::pair(1.0, std::size_t(1)));
        QCOMPARE(near(-0.4, 0.9), std::pair(0.5, std::size_t(0)));
        QCOMPARE(near(-0.9, 0.25), std::pair(0.5, std::size_t(0)));
        QVERIFY(near(0.9, 0.9).first < 0); // aligns already
        QVERIFY(!analysis::nearness({.kind = RoleKind::Sink}, {}));
    }

    void uniformIsBroadAndHasNoRole() {
        const auto tokens = sentence(12);
        for (const auto kind : {encoder, decoder}) {
            QVERIFY(selfRoles(kind, tokens, evenly).empty());
            QVERIFY(
                analysis::isBroad(analysis::headStatistics(map(kind, 12, 12, evenly), 0, tokens, tokens)));
            QVERIFY(
                !analysis::isBroad(analysis::headStatistics(map(kind, 12, 12, shifted), 0, tokens, tokens)));
        }
    }

    void theSameTokenElsewhereIsARole() {
        auto tokens = words(12);
        for (std::size_t i = 0; i < 6; ++i)
            tokens[i + 6].id = tokens[i].id;
        const auto scattered = [](std::size_t query, std::size_t key) {
            return key == (query < 6 ? query + 6 : query - 6) ? 1.0 : 0.0;
        };
        const auto found = selfRoles(encoder, tokens, scattered);
        QVERIFY(
            std::ranges::any_of(found, [](const auto& role) { return role.kind == RoleKind::SameToken; }));
    }

    /// Which is the same token for an encoder, that of an earlier place, or what followed it.
    void decodersHaveInductionAndDuplicateTokens() {
        const auto tokens = pieces("abcdefabcdef");
        const auto back = [](std::size_t steps) {
            return [steps](std::size_t query, std::size_t key) {
                return query < 6 ? (key == query / 2 ? 1.0 : 0.0) : key + steps == query ? 1.0 : 0.0;
            };
        };
        // The text is repeated as a whole, so they are at a fixed offset, too, which says less.
        const auto duplicate = selfRoles(decoder, tokens, back(6));
        QCOMPARE(duplicate.size(), std::size_t(2));
        QVERIFY(duplicate.front().kind == RoleKind::DuplicateToken);
        QVERIFY(duplicate.back().kind == RoleKind::Positional && duplicate.back().offset == -6);
        const auto induction = selfRoles(decoder, tokens, back(5));
        QVERIFY(induction.front().kind == RoleKind::Induction);
        QVERIFY(induction.front().number > 0.99 && induction.front().uniform < 0.12);
        QCOMPARE(induction.front().rows, std::size_t(6));
        for (const auto& role : selfRoles(encoder, tokens, back(5)))
            QVERIFY(role.kind != RoleKind::Induction);
    }

    /// Two heads that attend to the previous token; no other role.
    void aRoleNamesItsHeadsOrTheNearestOne() {
        const auto tokens = sentence(12);
        trace::Run run;
        run.source = tokens;
        run.encoder = {map(encoder, 12, 12, shifted), map(encoder, 12, 12, [](std::size_t q, std::size_t k) {
                           return k == 11 ? 4.0 : k + 1 == q || (q == 0 && k == 1) ? 8.0 : 0.0;
                       })};
        run.encoder[1].site.layer = 1;
        const auto heads = analysis::statisticsOfHeads(run);
        const auto all = analysis::rolesAmong(heads);
        const auto of = [&](RoleKind kind, int offset = 0) {
            const auto found = std::ranges::find_if(
                all, [&](const auto& role) { return role.kind == kind && role.offset == offset; });
            return found == all.end() ? std::nullopt : std::optional(*found);
        };
        const auto previous = of(RoleKind::Positional, -1);
        QVERIFY(previous->heads == (std::vector{heads[0].head, heads[1].head}));
        QVERIFY(!previous->nearest);
        const auto end = of(RoleKind::End);
        QVERIFY(end->heads.empty() && end->nearest);
        QVERIFY(end->nearest->head == heads[1].head);
        QCOMPARE(end->needs.number, 0.5);
        QVERIFY(std::abs(end->nearest->role.number - 1 / 3.0) < 1e-6);
        QCOMPARE(end->nearest->role.number, *heads[1].values[analysis::Statistic::End]);
        QCOMPARE(end->nearest->role.uniform, heads[1].uniform[analysis::Statistic::End]);
        QCOMPARE(end->nearest->nearness, end->nearest->role.number / 0.5);
        QVERIFY(of(RoleKind::Positional, 0)->nearest->nearness < 1);
        // What no head of this run can have is no role of it.
        for (const auto kind : {RoleKind::Aligning, RoleKind::Start, RoleKind::Punctuation,
                                RoleKind::SameToken, RoleKind::Induction})
            QVERIFY(!of(kind));
        QVERIFY(analysis::rolesAmong({}).empty());
    }

    /// Whoever has a role by rolesOf() is among its heads, and nobody else.
    void rolesAmongHeadsAreThoseOfEachHead() {
        const auto tokens = pieces("ab");
        trace::Run run;
        run.target = tokens;
        run.source = tokens;
        // Two rows that attend to each other: previous and next token in every row that has one.
        run.encoder = {map(encoder, 2, 2, [](std::size_t q, std::size_t k) { return q == k ? 0.0 : 1.0; })};
        run.decoder = {map(decoder, 2, 2, shifted)};
        const auto heads = analysis::statisticsOfHeads(run);
        std::size_t held = 0, listed = 0;
        for (const auto& head : heads)
            held += analysis::rolesOf(head).size();
        for (const auto& role : analysis::rolesAmong(heads))
            listed += role.heads.size();
        QCOMPARE(listed, held);
    }

    void aHeadThatDoesTheOppositeIsNotNear() {
        analysis::HeadStatistics along;
        along.values[analysis::Statistic::Monotony] = 0.9;
        along.values[analysis::Statistic::Confidence] = 0.9;
        const auto among = [](const analysis::HeadStatistics& head) {
            std::vector<RoleKind> kinds;
            for (const auto& role : analysis::rolesAmong({head}))
                kinds.push_back(role.kind);
            return kinds;
        };
        QVERIFY(among(along) == std::vector{RoleKind::Aligning});
        along.values[analysis::Statistic::Monotony] = 0;
        QVERIFY(among(along) == (std::vector{RoleKind::Aligning, RoleKind::Reversed}));
    }

    void aMaskedOffsetIsNoRoleOfADecoder() {
        const auto tokens = words(8);
        trace::Run run;
        run.target = tokens;
        run.decoder = {map(decoder, 8, 8, evenly)};
        for (const auto& role : analysis::rolesAmong(analysis::statisticsOfHeads(run)))
            QVERIFY(role.kind != RoleKind::Positional || role.offset <= 0);
    }

    void whatRunsAlongAlignsByItsShapeOnlyIfItIsSure() {
        const auto along = [](std::size_t query, std::size_t key) { return key == query ? 1.0 : 0.0; };
        const auto found = roles(map(AttentionKind::Cross, 9, 10, along), words(9), sentence(10));
        QVERIFY(isOnly(found, RoleKind::Aligning));
        QVERIFY(found.front().number > 0.99 && found.front().confidence > 0.99);
        // Monotonous, but nearly uniform: no evidence.
        const auto faint = [](std::size_t query, std::size_t key) { return key == query ? 1.5 : 1.0; };
        for (const auto& role : roles(map(AttentionKind::Cross, 9, 10, faint), words(9), sentence(10)))
            QVERIFY(role.kind != RoleKind::Aligning);
    }

    void shortCausalRowsMakeNoStartHead() {
        auto tokens = words(3);
        tokens[0].role = trace::TokenRole::Start;
        QVERIFY(selfRoles(decoder, tokens, evenly).empty()); // although 0.61 is on the start token
    }

    void aRoleSpeaksOfACorpusOnlyWhereThereIsOne() {
        analysis::HeadStatistics statistics;
        statistics.sentences = 199;
        statistics.rows = 5000;
        QVERIFY(!analysis::speaksOfCorpus(statistics));
        statistics.sentences = 200;
        QVERIFY(analysis::speaksOfCorpus(statistics));
        statistics.rows = 999;
        QVERIFY(!analysis::speaksOfCorpus(statistics));
    }

    void theNumberBehindARoleCanBeAskedOfOtherStatistics() {
        const auto tokens = sentence(12);
        const auto role = selfRoles(encoder, tokens, shifted).front();
        const auto even = analysis::headStatistics(map(encoder, 12, 12, evenly), 0, tokens, tokens);
        QCOMPARE(analysis::numberBehind(role, even), std::optional(0.0));
        const auto other = analysis::headStatistics(map(encoder, 12, 12, shifted), 0, tokens, tokens);
        QVERIFY(analysis::numberBehind(role, other) > 0.99);
    }
};

HEADSCOPE_TEST(HeadRolesTest)
#include "head_roles_test.moc"
