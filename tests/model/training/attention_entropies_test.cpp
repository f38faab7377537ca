#include <QTest>

#include "model/analysis/heads/head_statistics.h"
#include "model/trace/refusal.h"
#include "model/training/attention_entropies.h"
#include "tests/compared_numbers.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace headscope::training;
using headscope::network::Transformer;
using headscope::trace::AttentionKind;
using headscope::trace::AttentionRecord;
using headscope::trace::HeadStack;
using headscope::trace::MaskMatrix;

namespace tests = headscope::tests;

namespace {

PackedBatch example(const std::vector<std::int64_t>& source, const std::vector<std::int64_t>& fed) {
    PackedBatch batch;
    batch.source.add(source);
    if (!fed.empty())
        batch.fed.add(fed);
    return batch;
}

/// Stores the reported attention like the run of a sentence.
class Records : public headscope::network::ForwardObserver {
  public:
    void attention(const headscope::network::AttentionReport& report) override {
        const auto queries = static_cast<std::size_t>(report.weights.size(1));
        const auto keys = static_cast<std::size_t>(report.weights.size(2));
        const auto weights = report.weights.contiguous();
        const auto* values = weights.data_ptr<float>();
        AttentionRecord record{.site = report.site};
        record.mask = MaskMatrix(queries, keys);
        for (std::size_t query = 0; query < queries; ++query)
            for (std::size_t key = 0; key < keys; ++key)
                record.mask(query, key) =
                    report.mask[static_cast<std::int64_t>(query)][static_cast<std::int64_t>(key)]
                        .item<bool>();
        record.weights = HeadStack(static_cast<std::size_t>(weights.size(0)), queries, keys,
                                   std::vector<float>(values, values + weights.numel()));
        all.push_back(std::move(record));
    }
    void residual(headscope::network::Stack, int, const at::Tensor&) override {}

    std::vector<AttentionRecord> all;
};

/// Mean over all records of a kind, row by row, from the heads' entropies.
double bitsOf(const std::vector<AttentionRecord>& records, AttentionKind kind) {
    double bits = 0, rows = 0;
    for (const auto& record : records) {
        const std::vector<headscope::trace::Token> queries(record.mask.rows());
        double counted = 0;
        for (std::size_t query = 0; query < queries.size(); ++query)
            counted += std::ranges::count(record.mask.row(query), 1) >= 2;
        for (std::size_t head = 0; record.site.kind == kind && head < record.weights.heads(); ++head) {
            bits += headscope::analysis::entropy(record, head, queries).mean * counted;
            rows += counted;
        }
    }
    return bits / rows;
}

} // namespace

class AttentionEntropiesTest : public QObject {
    Q_OBJECT

    const std::vector<PackedBatch> examples_{example({5, 6, 7, 8, 3}, {2, 4, 5, 6}), example({9, 3}, {2, 9}),
                                             example({4, 5, 6, 7, 8, 9, 10, 3}, {2, 10, 9, 8, 7, 6, 5})};

  private Q_SLOTS:
    void theyAreTheEntropiesOfTheHeadsInBits() {
        const Transformer network(random_network::smallConfig());
        random_network::fill(network.parameters());
        Records records;
        const headscope::network::Pass watched{.observer = &records};
        for (const auto& [source, fed, wanted] : examples_) {
            const auto ids = at::tensor(source.ids, at::kLong);
            const auto open = random_network::allOpen(ids);
            const auto memory = network.encode(network.sourceEmbedding()(ids, 0), open, watched);
            auto state = network.startDecoding(memory, open, 10);
            const auto target = at::tensor(fed.ids, at::kLong);
            network.decode(target, random_network::allOpen(target), state, watched);
        }
        const auto entropies = attentionEntropies(network, examples_, {});
        const std::pair<AttentionKind, std::optional<double>> all[] = {
            {AttentionKind::EncoderSelf, entropies.encoder},
            {AttentionKind::DecoderSelf, entropies.decoder},
            {AttentionKind::Cross, entropies.cross}};
        for (const auto& [kind, bits] : all) {
            QVERIFY(bits && *bits > 0.1);
            std::size_t terms = 0;
            for (const auto& record : records.all)
                if (record.site.kind == kind)
                    terms += record.weights.values().size();
            VERIFY_AGREES(tests::compare("bits", *bits, bitsOf(records.all, kind),
                                         2.0 * tests::ofSum(terms + 4, *bits, tests::float64)));
        }
    }

    void rowsThatAreSpreadEvenlyHaveAsManyBitsAsTheirKeysSay() {
        const Transformer network(random_network::smallConfig());
        for (const auto& [role, parameter] : network.parameters())
            parameter.zero_();
        const auto entropies = attentionEntropies(network, {example({5, 6, 7, 3}, {2, 4})}, {});
        // A sum over 2 layers, 3 heads, at most 4 queries and 4 keys.
        const auto limit = tests::ofSum(2 * 3 * 4 * 4 + 4, 2, tests::float64);
        VERIFY_AGREES(tests::compare("encoder", *entropies.encoder, 2, limit)); // four keys
        VERIFY_AGREES(tests::compare("cross", *entropies.cross, 2, limit));
        // One key, which is no choice, then two.
        VERIFY_AGREES(tests::compare("decoder", *entropies.decoder, 1, limit));
    }

    void aClassifierHasAnEncoderAlone() {
        auto config = random_network::smallConfig();
        config.decoder.layers = 0;
        config.classes = 3;
        const Transformer network(config);
        random_network::fill(network.parameters());
        const auto entropies = attentionEntropies(network, {example({5, 6, 7, 3}, {})}, {});
        QVERIFY(entropies.encoder && !entropies.decoder && !entropies.cross);
    }

    void withoutExamplesThereIsNoEntropyAndAStopEndsIt() {
        const Transformer network(random_network::smallConfig());
        QVERIFY(!attentionEntropies(network, {}, {}).encoder);
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(attentionEntropies(network, examples_, source.get_token()),
                                 headscope::trace::Cancelled);
    }
};

HEADSCOPE_TEST(AttentionEntropiesTest)
#include "attention_entropies_test.moc"
