#include "widgets/words/answer_words.h"

#include "model/trace/answer_span.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/class_title.h"
#include "widgets/words/hesitation_words.h"

#include <QCoreApplication>
#include <QStringList>

namespace headscope::widgets {

namespace {

struct AnswerWords {
    Q_DECLARE_TR_FUNCTIONS(headscope::widgets::AnswerWords)
};

} // namespace

QString answerInWords(const trace::Run& run) {
    const auto span = trace::answerSpan(run);
    if (!span)
        return AnswerWords::tr("No token of the text can answer.");
    const QString text = QString::fromStdString(trace::textOf(*span, run));
    return AnswerWords::tr("Most probable answer: %1 (%2)")
        .arg(QChar(0x201c) + isolated(text) + QChar(0x201d), percentText(span->probability));
}

QString numbersInWords(const trace::Run& run) {
    QStringList words;
    for (std::size_t i = 0; i < run.numbers.size(); ++i) {
        const QString number = numberText(run.numbers[i]);
        words += run.numbers.size() == 1 || !run.model
                     ? number
                     : AnswerWords::tr("%1 %2").arg(classTitle(*run.model, i), number);
    }
    return AnswerWords::tr("Predicted: %1").arg(words.join(QStringLiteral(", ")));
}

} // namespace headscope::widgets
