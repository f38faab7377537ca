#include "model/training/training_log.h"
#include "tests/model/training/small_training.h"
#include "tests/registered_test.h"

#include <QTest>

using namespace small_training;

namespace {

const std::string columns = "step,epoch,loss,learning_rate,tokens_per_second,gradient_norm,seconds,"
                            "valid_loss,valid_accuracy,bleu,entropy_encoder,entropy_decoder,entropy_cross\n";

} // namespace

class TrainingLogTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::filesystem::path path(const char* name) const { return folder_.filePath(name).toStdString(); }

  private Q_SLOTS:
    void whatWasNotMeasuredIsEmpty() {
        TrainingLog log(path("new.csv"), 0);
        log.add({.step = 50, .epoch = 1, .loss = 2, .tokensPerSecond = 10, .learningRate = 0.5}, 3, 4);
        log.add({.step = 100,
                 .loss = 1,
                 .tokensPerSecond = 10,
                 .learningRate = 0.5,
                 .validation = Validation{.loss = 1.5,
                                          .accuracy = 0.25,
                                          .bleu = 12.5,
                                          .entropy = {.encoder = 2, .decoder = {}, .cross = 1.25}}},
                3, 4);
        QCOMPARE(bytes(path("new.csv")),
                 columns + "50,1,2,0.5,10,3,4,,,,,,\n100,0,1,0.5,10,3,4,1.5,0.25,12.5,2,,1.25\n");
    }

    void anOlderLogWithFewerColumnsGoesOn() {
        headscope::files::saveAtomically(
            path("old.csv"), "step,epoch,loss,learning_rate,tokens_per_second,gradient_norm,seconds,valid_"
                             "loss,valid_accuracy\n"
                             "50,0,2,0.5,10,3,4,,\n100,0,1,0.5,10,3,4,1.5,0.25\n150,0,1,0.5,10,3,4,,\n");
        TrainingLog log(path("old.csv"), 100);
        log.add({.step = 150, .loss = 0.5, .tokensPerSecond = 10, .learningRate = 0.5}, 3, 4);
        QCOMPARE(bytes(path("old.csv")), columns +
                                             "50,0,2,0.5,10,3,4,,,,,,\n100,0,1,0.5,10,3,4,1.5,0.25,,,,\n"
                                             "150,0,0.5,0.5,10,3,4,,,,,,\n");
    }
};

HEADSCOPE_TEST(TrainingLogTest)
#include "training_log_test.moc"
