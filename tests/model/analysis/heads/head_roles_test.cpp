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
