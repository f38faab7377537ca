#include "tests/model/files/pickle_text.h"
#include "tests/registered_test.h"

#include "model/files/torch/pickled_values.h"
#include "model/files/torch/unpickler.h"

using namespace foreign_files;
using namespace headscope;

class PickledValuesTest : public QObject {
    Q_OBJECT

    static std::map<std::string, std::string> valuesOf(const std::string& root) {
        const auto bytes = bytesOf(pickle_text::start + root + pickle_text::stop);
        return files::plainValues(files::unpickle(bytes, "a pickle"));
    }
    static std::string dict(const std::string& key, const std::string& value) {
        return pickle_text::emptyDict + pickle_text::text(key) + value + pickle_text::setItem;
    }
    static std::string object(const std::string& module, const std::string& name, const std::string& state) {
        return pickle_text::global(module, name) + pickle_text::emptyTuple + pickle_text::newObject + state +
               pickle_text::build;
    }

  private Q_SLOTS:
    void membersOfObjectsAreValues() {
        const auto arguments = object("argparse", "Namespace", dict("heads", pickle_text::integer(3)));
        const auto values = valuesOf(dict("args", arguments));
        QCOMPARE(values.size(), 1u);
        QCOMPARE(values.at("args.heads"), std::string("3"));
    }

    /// As fairseq 0.10 saves its configuration.
    void objectsOfOmegaConfAreWhatTheyHold() {
        const auto heads = object("omegaconf.nodes", "AnyNode", dict("_val", pickle_text::integer(3)));
        const auto arguments = object("argparse", "Namespace", dict("norm", pickle_text::text("post")));
        const auto model = object("omegaconf.nodes", "AnyNode", dict("_val", arguments));
        const auto nested =
            object("omegaconf.dictconfig", "DictConfig", dict("_content", dict("heads", heads)));
        const auto configuration = [&](const std::string& content) {
            return dict("cfg", object("omegaconf.dictconfig", "DictConfig", dict("_content", content)));
        };
        QCOMPARE(valuesOf(configuration(dict("model", nested))).at("cfg.model.heads"), std::string("3"));
        QCOMPARE(valuesOf(configuration(dict("model", model))).at("cfg.model.norm"), std::string("\"post\""));
        const auto other = object("omegaconf.dictconfig", "DictConfig", dict("other", heads));
        QCOMPARE(valuesOf(dict("cfg", other)).at("cfg.other"), std::string("3"));
    }
};

HEADSCOPE_TEST(PickledValuesTest)
#include "pickled_values_test.moc"
