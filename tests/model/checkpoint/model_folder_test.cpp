#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include "model/checkpoint/model_folder.h"

#include <sys/stat.h>

using namespace foreign_files;
using namespace headscope::checkpoint;

class ModelFolderTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theUsualNamesAreFound() {
        const Folder folder;
        writeFile(folder / "model.pt", "");
        writeFile(folder / "other.bin", "");
        QCOMPARE(findModel(folder.path()).weights, folder / "model.pt");
        writeFile(folder / "model.safetensors", "");
        writeFile(folder / "config.json", "{}");
        const auto model = findModel(folder.path());
        QCOMPARE(model.weights, folder / "model.safetensors");
        QCOMPARE(*model.config, folder / "config.json");
        QVERIFY(!model.sidecar && !model.attribution);
        QCOMPARE(model.name, folder.path().filename().string());
        QCOMPARE(findModel(folder.path() / "").name, model.name);
    }

    void aSingleFileWinsOverAnIndexOfShards() {
        const Folder folder;
        writeFile(folder / "pytorch_model.bin.index.json", "");
        writeFile(folder / "pytorch_model-00001-of-00002.bin", "");
        writeFile(folder / "pytorch_model-00002-of-00002.bin", "");
        QCOMPARE(findModel(folder.path()).weights, folder / "pytorch_model.bin.index.json");
        writeFile(folder / "model.safetensors.index.json", "");
        const auto index = folder / "model.safetensors.index.json";
        QCOMPARE(findModel(folder.path()).weights, index);
        QCOMPARE(findModel(index).weights, index);
        QCOMPARE(findModel(index).name, findModel(folder.path()).name);
        writeFile(folder / "pytorch_model.bin", "");
        QCOMPARE(findModel(folder.path()).weights, folder / "pytorch_model.bin");
    }

    void theOnlyWeightsMayHaveAnyName() {
        const Folder folder;
        writeFile(folder / "notes.txt", "");
        writeFile(folder / "epoch 12.pth", "");
        QCOMPARE(findModel(folder.path()).weights, folder / "epoch 12.pth");
    }

    void aFileHasItsNeighbours() {
        const Folder folder;
        writeFile(folder / "small.pt", "");
        writeFile(folder / "headscope.json", "{}");
        const auto model = findModel(folder / "small.pt");
        QCOMPARE(model.name, std::string("small"));
        QCOMPARE(*model.sidecar, folder / "headscope.json");
    }

    void aModelInTheCacheOfTheHubIsItsMainSnapshot() {
        const Folder folder;
        const auto cached = folder / "models--org--a-model";
        const auto add = [&](const char* snapshot) {
            const auto place = cached / "snapshots" / snapshot;
            std::filesystem::create_directories(place);
            for (const char* name : {"model.safetensors", "config.json"})
                std::filesystem::create_symlink(std::filesystem::path("../../blobs") / name, place / name);
            return place;
        };
        std::filesystem::create_directories(cached / "blobs");
        writeFile(cached / "blobs" / "model.safetensors", "");
        writeFile(cached / "blobs" / "config.json", "{}");
        const auto first = add("0123");
        for (const auto& path : {cached, cached / "", cached / "snapshots", first}) {
            const auto model = findModel(path);
            QCOMPARE(model.name, std::string("org/a-model"));
            QCOMPARE(model.folder, first);
            QCOMPARE(*model.config, first / "config.json");
        }
        const auto ofFile = findModel(first / "model.safetensors");
        QCOMPARE(ofFile.name, std::string("org/a-model"));
        QCOMPARE(*ofFile.config, first / "config.json");

        const auto second = add("4567");
        QVERIFY(contains(refusalOf([&] { findModel(cached); }), {"several snapshots", "0123, 4567"}));
        std::filesystem::create_directories(cached / "refs");
        writeFile(cached / "refs" / "main", "4567\n");
        QCOMPARE(findModel(cached).folder, second);
        QCOMPARE(findModel(first).folder, first);
        writeFile(cached / "refs" / "main", "../../..");
        QVERIFY(contains(refusalOf([&] { findModel(cached); }), {"several snapshots"}));
        std::filesystem::remove(cached / "refs" / "main");
        QCOMPARE(::mkfifo((cached / "refs" / "main").c_str(), 0600), 0); // which nobody writes to
        QVERIFY(contains(refusalOf([&] { findModel(cached); }), {"several snapshots"}));
    }

    void aFolderWithoutWeightsIsRefused() {
        const Folder folder;
        writeFile(folder / "config.json", "{}");
        const auto path = folder.path().string();
        QVERIFY(contains(refusalOf([&] { findModel(folder.path()); }),
                         {"no model", path.c_str(), ".safetensors", "What to do"}));
        QVERIFY(contains(refusalOf([&] { findModel(folder / "missing"); }), {"no such model", "missing"}));
    }

    void severalWeightsAreRefusedWithTheirNames() {
        const Folder folder;
        writeFile(folder / "b.pt", "");
        writeFile(folder / "a.safetensors", "");
        QVERIFY(contains(refusalOf([&] { findModel(folder.path()); }), {"several", "a.safetensors, b.pt"}));
    }

    void theStateOfATrainingIsNoModel() {
        const Folder folder;
        for (const char* name :
             {"optimizer.bin", "optimizer.pt", "scheduler.pt", "scheduler.bin", "scaler.pt", "rng_state.pth",
              "rng_state_0.pth", "training_args.bin", "sampler.bin", "random_states_0.pkl",
              "zero_pp_rank_0_mp_rank_00_optim_states.pt"})
            writeFile(folder / name, "");
        QVERIFY(contains(refusalOf([&] { findModel(folder.path()); }), {"no model"}));
        writeFile(folder / "epoch=3.ckpt", "");
        QCOMPARE(findModel(folder.path()).weights, folder / "epoch=3.ckpt");
    }

    void aFileThatOnlyEndsAsWeightsIsNone() {
        const Folder folder;
        writeFile(folder / "program.bin", "\x7f"
                                          "ELF program");
        writeFile(folder / "empty.bin", "");
        QVERIFY(contains(refusalOf([&] { findModel(folder.path()); }), {"no model"}));
        for (const char* begins : {"PK\x03\x04", "\x80\x02", "version https://git-lfs"}) {
            writeFile(folder / "weights.bin", begins);
            QCOMPARE(findModel(folder.path()).weights, folder / "weights.bin");
        }
    }

    void foldersOfCheckpointsAreNamedAndTheOnlyOneIsOpened() {
        const Folder folder;
        const auto add = [&](const std::string& name) {
            std::filesystem::create_directories(folder / "run" / name);
            writeFile(folder / "run" / name / "model.safetensors", "");
        };
        std::filesystem::create_directories(folder / "run" / "logs");
        add("checkpoint-1000");
        const auto only = findModel(folder / "run");
        QCOMPARE(only.folder, folder / "run" / "checkpoint-1000");
        QCOMPARE(only.name, std::string("run"));
        add("checkpoint-500");
        add("version_0/checkpoints");
        QVERIFY(contains(refusalOf([&] { findModel(folder / "run"); }),
                         {"several checkpoints", "checkpoint-500, checkpoint-1000, version_0/checkpoints"}));
    }

    void aLinkToItselfIsNoModel() {
        const Folder folder;
        std::filesystem::create_symlink("model.pt", folder / "model.pt");
        std::filesystem::create_symlink("config.json", folder / "config.json");
        QVERIFY(contains(refusalOf([&] { findModel(folder.path()); }), {"no model"}));
        QVERIFY(contains(refusalOf([&] { findModel(folder / "model.pt"); }), {"no such model"}));
    }

    void whatIsNearerToThePersonWins() {
        const Folder folder;
        writeFile(folder / "model.pt", "");
        writeFile(folder / "config.json",
                  R"({"n_heads": 4, "norm": "post", "activation": "gelu", "other": {}})");
        const std::map<std::string, std::string> defaults{{"heads", "2"}, {"norm", "pre"}, {"norm_eps", "1"}};
        const std::map<std::string, std::vector<std::string>> keys{{"heads", {"num_heads", "n_heads"}}};
        auto settings = readSettings(findModel(folder.path()), defaults, keys);
        QCOMPARE(*settings.integer("heads"), std::int64_t{4});
        QVERIFY(contains(settings.find("heads")->origin, {"config.json", "n_heads"}));
        QCOMPARE(settings.text("norm"), std::string("post"));
        QCOMPARE(settings.text("norm_eps"), std::string("1"));
        QVERIFY(!settings.find("other").has_value());

        writeFile(folder / "headscope.json", R"({"heads": 8, "activation": "silu"})");
        settings = readSettings(findModel(folder.path()), defaults, keys);
        QCOMPARE(*settings.integer("heads"), std::int64_t{8});
        QVERIFY(contains(settings.find("heads")->origin, {"headscope.json"}));
        QCOMPARE(settings.text("activation"), std::string("silu"));
        QCOMPARE(settings.text("norm"), std::string("post"));
    }

    void valuesOfJsonBecomeSettings() {
        const Folder folder;
        writeFile(folder / "model.pt", "");
        writeFile(folder / "config.json", R"({"final_norm": true, "source_suffix": [3, 4], "norm_eps": 1e-5,
                                              "start_id": null, "name": "x", "source_prefix": []})");
        const auto settings = readSettings(findModel(folder.path()), {}, {});
        QCOMPARE(settings.yesOrNo("final_norm"), std::optional(true));
        QCOMPARE(settings.integers("source_suffix"), (std::vector<std::int64_t>{3, 4}));
        QCOMPARE(*settings.number("norm_eps"), 1e-5);
        QVERIFY(!settings.find("start_id").has_value());
        QVERIFY(settings.integers("source_prefix").empty());
    }

    void aConfigurationThatIsNoObjectIsRefused() {
        const Folder folder;
        writeFile(folder / "model.pt", "");
        for (const char* content : {"[]", "{", "", "\xff"}) {
            writeFile(folder / "config.json", content);
            QVERIFY(contains(refusalOf([&] { readSettings(findModel(folder.path()), {}, {}); }),
                             {"config.json"}));
            QVERIFY(contains(refusalOf([&] { statedFamily(findModel(folder.path())); }), {"config.json"}));
        }
    }

    void theFamilyIsStatedByTheNearestFile() {
        const Folder folder;
        writeFile(folder / "model.pt", "");
        QVERIFY(!statedFamily(findModel(folder.path())).has_value());
        writeFile(folder / "config.json", R"({"family": "one"})");
        QCOMPARE(statedFamily(findModel(folder.path()))->text, std::string("one"));
        writeFile(folder / "headscope.json", R"({"family": "two"})");
        QCOMPARE(statedFamily(findModel(folder.path()))->text, std::string("two"));
        writeFile(folder / "headscope.json", R"({"family": null})");
        QCOMPARE(statedFamily(findModel(folder.path()))->text, std::string("one"));
        writeFile(folder / "headscope.json", R"({"family": {}})");
        QVERIFY(contains(refusalOf([&] { statedFamily(findModel(folder.path())); }),
                         {"headscope.json", "\"family\"", "an object"}));
    }

    void aTokenizerNamedByAFileStaysInItsFolder() {
        const Folder folder;
        writeFile(folder / "model.pt", "");
        const auto model = findModel(folder.path());
        Settings settings;
        QVERIFY(!tokenizerFile(model, settings).has_value());
        writeFile(folder / "spm.model", "");
        QCOMPARE(*tokenizerFile(model, settings), folder / "spm.model");
        settings.set("tokenizer", "", "config.json");
        QVERIFY(!tokenizerFile(model, settings).has_value());
        for (const char* outside :
             {"../spm.model", "/etc/passwd", "sub/spm.model", "..", ".", "spm.model/"}) {
            settings.set("tokenizer", outside, "config.json");
            QVERIFY(contains(refusalOf([&] { tokenizerFile(model, settings); }),
                             {"tokenizer", "config.json", outside, "plain name"}));
        }
        settings.set("tokenizer", "other.model", "config.json");
        QCOMPARE(*tokenizerFile(model, settings), folder / "other.model");
        settings.set("tokenizer", "/anywhere/x.model", "--tokenizer");
        QCOMPARE(tokenizerFile(model, settings)->string(), std::string("/anywhere/x.model"));
    }
};

HEADSCOPE_TEST(ModelFolderTest)
#include "model_folder_test.moc"
