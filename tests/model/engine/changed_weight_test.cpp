#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/changed_weight.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

using namespace headscope;

/// No limit of a recorded array is so generous that a changed weight would pass.
class ChangedWeightTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// As what was computed in two ways is compared: cached and whole, stored and recomputed.
    void twoRunsOfOursShowIt() {
        const auto request = engines::recorded(engines::forced(engines::source, engines::target));
        const auto one = engines::with(engines::tiny)->of(request, trace::RunWhat());
        const auto other =
            engines::withChangedWeight(engines::tiny, engines::queriesOfTiny)->of(request, trace::RunWhat());
        for (const std::string array :
             {"encoder_self/scores", "decoder_self/scores", "cross/scores", "cross/heads", "decoder/residual",
              "encoder_output", "log_probabilities"})
            QVERIFY2(!recordings::compareOurs("annotated-tiny", array.substr(array.find('/') + 1), array,
                                              recordings::floatsOf(*one, array),
                                              recordings::floatsOf(*other, array)),
                     array.c_str());
        for (const std::string site : {"encoder_self", "decoder_self", "cross"})
            QVERIFY2(!recordings::compareWeights("annotated-tiny", site,
                                                 recordings::floatsOf(*one, site + "/weights"),
                                                 recordings::floatsOf(*other, site + "/weights"),
                                                 recordings::floatsOf(*one, site + "/scores")),
                     site.c_str());
    }

    void everyArrayOfARecordingShowsIt_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("tensor");
        QTest::newRow("annotated-tiny") << "annotated-tiny"
                                        << "encoder.layers.0.self_attn.linears.0.weight";
        QTest::newRow("rotary-tiny") << "rotary-tiny"
                                     << "encoder.0.self.query.weight";
        QTest::newRow("imdb-classifier-tiny") << "imdb-classifier-tiny"
                                              << "encoder.enc_layers.0.attention.W_q.weight";
        QTest::newRow("llama-tiny") << "hugging-face/llama-tiny"
                                    << "layers.0.self_attn.q_proj.weight";
        QTest::newRow("electra-tiny-replaced") << "hugging-face/electra-tiny-replaced"
                                               << "encoder.layer.0.attention.self.query.weight";
    }
    void everyArrayOfARecordingShowsIt() {
        QFETCH(const QString, model);
        QFETCH(const QString, tensor);
        const auto name = model.toStdString();
        const auto recorded = recordings::read(name + "/trace.npz");
        const auto engine = engines::withChangedWeight(recordings::folder + name, tensor.toStdString());
        const auto run = engine->of(recordings::requestOf(name, recorded), trace::RunWhat());
        const auto isCompared = [&](const auto& named) {
            return recorded.contains("float32/" + named.first) && !named.first.starts_with("positions/");
        };
        for (const auto& [array, values] : tests::some(recorded | std::views::filter(isCompared))) {
            const auto comparison =
                recordings::compareWith(recorded, array, recordings::floatsOf(*run, array));
            QVERIFY2(!comparison, comparison.message.c_str());
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ChangedWeightTest)
#include "changed_weight_test.moc"
