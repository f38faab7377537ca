#include "app/export/animation_process.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace headscope::app {

AnimationProcess::AnimationProcess(QObject* parent)
    : CommandProcess({.notStarted = tr("The frame renderer cannot be started"),
                      .endedFromOutside = tr("The frame renderer was terminated"),
                      .wayOut = tr("choose a smaller picture, or try again")},
                     parent) {}

void AnimationProcess::start(const QStringList& words) {
    CommandProcess::start(words + QStringList{"--progress-json", "--quiet"},
                          QProcessEnvironment::systemEnvironment());
}

bool AnimationProcess::take(const QByteArray& line) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    if (!object.contains("frames"))
        return false;
    Q_EMIT drawn(object["frame"].toInt(), object["frames"].toInt());
    return true;
}

} // namespace headscope::app
