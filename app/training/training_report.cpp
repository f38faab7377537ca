#include "app/training/training_report.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <cmath>

namespace headscope::app {

namespace {

using trace::TrainingPoint;

double numberOf(const QJsonValue& value) {
    return value.toDouble(TrainingPoint::none);
}

void readValidation(const QJsonObject& validation, TrainingPoint& point) {
    point.validationLoss = numberOf(validation["loss"]);
    point.accuracy = numberOf(validation["accuracy"]);
    point.bleu = numberOf(validation["bleu"]);
    const QJsonObject entropy = validation["entropy"].toObject();
    point.encoderEntropy = numberOf(entropy["encoder"]);
    point.decoderEntropy = numberOf(entropy["decoder"]);
    point.crossEntropy = numberOf(entropy["cross"]);
}

} // namespace

std::optional<TrainingReport> parseReport(const QByteArray& line) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    if (object.contains("message"))
        return TrainingReport{.message = object["message"].toString(), .source = {}, .output = {}};
    if (!object.contains("step"))
        return std::nullopt;
    TrainingReport report{.message = {},
                          .steps = object["steps"].toInteger(),
                          .epoch = object["epoch"].toInteger(),
                          .tokensPerSecond = object["tokens_per_second"].toDouble(),
                          .source = object["sample"].toObject()["source"].toString(),
                          .output = object["sample"].toObject()["output"].toString()};
    if (const double left = numberOf(object["seconds_left"]); std::isfinite(left))
        report.secondsLeft = left;
    report.point.step = object["step"].toInteger();
    report.point.settled = object["logged"].toBool();
    report.point.loss = numberOf(object["loss"]);
    report.validated = object.contains("validation");
    readValidation(object["validation"].toObject(), report.point);
    return report;
}

std::vector<TrainingPoint> pointsOfLog(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    constexpr qint64 longest = 10'000; // bytes per line; a file of another kind may have no line ends
    const auto titles = file.readLine(longest).trimmed().split(',');
    if (!titles.contains("step"))
        return {};
    std::vector<TrainingPoint> points;
    while (!file.atEnd()) {
        const auto cells = file.readLine(longest).trimmed().split(',');
        bool isStep = false;
        TrainingPoint point{.step = cells.value(titles.indexOf("step")).toLongLong(&isStep)};
        for (const auto& [title, member] : trace::trainingColumns) {
            bool isNumber = false;
            const double value = cells.value(titles.indexOf(title)).toDouble(&isNumber);
            if (isNumber)
                point.*member = value;
        }
        if (isStep)
            trace::addTrainingPoint(points, point);
    }
    return points;
}

} // namespace headscope::app
