#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/bars_picture.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/view_spec.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/classifier/given_tokens_picture.h"
#include "widgets/words/captions.h"
#include "widgets/words/class_title.h"
#include "widgets/words/counting_words.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::widgets {

namespace {

constexpr double classifierViewFigureMargin = 12;
constexpr double figureGap = 12;

} // namespace

bool ClassifierView::hasFigure() const {
    const bool read =
        run_ && reading_ && !reading_->logits.empty() && chosenClass() < reading_->contributions.size();
    return read && (page() == Page::Answer || !reading_->leftOut.empty());
}

/// The name of a class if the model has names, else its number.
QString ClassifierView::nameOf(std::size_t chosen) const {
    return classTitle(*run_->model, chosen);
}

TokenLabel ClassifierView::nameOf(const analysis::WordEffect& word) const {
    TokenLabel name = tokenLabel(run_->source.at(word.firstToken));
    for (std::size_t token = word.firstToken + 1; token < word.lastToken; ++token)
        name.text += tokenLabel(run_->source.at(token)).text;
    return name;
}

QString ClassifierView::whyNothing() const {
    if (!run_)
        return tr(
            "Open a model that classifies sentences, such as an encoder with a pooled layer of classes; "
            "then type a sentence and press Enter.");
    if (run_->classLogProbabilities.empty())
        return tr(
            "This model translates: it has no classes. Open one that classifies, such as an encoder with "
            "a pooled layer of classes (Ctrl+O).");
    if (!whyNot_.isEmpty())
        return whyNot_;
    if (!reading_)
        return tr("Computing the contributions...");
    if (trace::namesPlaces(run_->request.interventions))
        return tr("A change refers to a cell or row by position, and positions shift when a word is left "
                  "out: switch the change off in What if.");
    return tr("No word can be left out: type a sentence of two words or more.");
}

QString ClassifierView::answerCaption() const {
    const auto chosen = chosenClass();
    const auto& given = reading_->contributions[chosen];
    const double tokens = std::accumulate(given.begin(), given.end(), 0.0);
    QString words =
        tr("Above: the probability of each class. Below: the contribution of each token to the "
           "logit of %2 (shade and number), and how many of the %1 pooled features it gave (bar). "
           "Tokens %3 + bias %4 = logit %5.")
            .arg(reading_->positions.size())
            .arg(nameOf(chosen), numberText(tokens), numberText(reading_->bias[chosen]),
                 numberText(tokens + reading_->bias[chosen]));
    const auto padding = std::ranges::count_if(reading_->positions, [this](std::size_t position) {
        return position < run_->source.size() && run_->source[position].role == trace::TokenRole::Padding;
    });
    if (padding > 0)
        words += QChar(' ') + tr("%n features came from padding.", nullptr, static_cast<int>(padding));
    return words;
}

QString ClassifierView::wordsCaption() const {
    const auto chosen = chosenClass();
    return tr("Loss in the %1 of %2 (now %3) when the sentence is read again without a word; later words "
              "move up. Bars to the right: the word supported the class. %4.")
        .arg(showsProbabilities() ? tr("probability") : tr("log-probability"), nameOf(chosen),
             numberText(showsProbabilities() ? std::exp(reading_->logProbabilities[chosen])
                                             : reading_->logProbabilities[chosen]),
             isSorted() ? tr("Largest first") : tr("In reading order"));
}

/// How the two pages disagree; empty if both put the same word first.
QString ClassifierView::whereTheyDiffer() const {
    const auto chosen = chosenClass();
    const auto apart = analysis::wordsApart(*reading_, chosen);
    if (!apart)
        return {};
    const auto words = analysis::wordEffects(*reading_, chosen);
    const QString added = quoted(nameOf(words[apart->added])), contribution = numberText(apart->contribution);
    if (!apart->lost)
        return tr("%1 contributes most to the logit of %2 (%3), but no word makes %2 less probable when left "
                  "out: contributions split one reading of the sentence; leaving a word out is another "
                  "reading.")
            .arg(added, nameOf(chosen), contribution);
    return tr("%1 contributes most to the logit of %2 (%3), but leaving out %4 lowers its log-probability "
              "most (by %5): contributions split one reading of the sentence; leaving a word out is another "
              "reading.")
        .arg(added, nameOf(chosen), contribution, quoted(nameOf(words[*apart->lost])),
             numberText(words[*apart->lost].logProbabilityLost));
}

QString ClassifierView::reason() const {
    const auto chosen = chosenClass();
    const auto words = analysis::wordEffects(*reading_, chosen);
    const auto most = std::ranges::max_element(words, {}, &analysis::WordEffect::logProbabilityLost);
    if (most == words.end() || most->logProbabilityLost <= 0)
        return tr("No single word matters: without any of them %1 stays as probable.").arg(nameOf(chosen));
    QString text = tr("Without %1, %2 falls most: from %3 to %4.")
                       .arg(quoted(nameOf(*most)), nameOf(chosen),
                            shareInWords(std::exp(reading_->logProbabilities[chosen])),
                            shareInWords(most->probabilityWithout));
    if (const auto apart = analysis::wordsApart(*reading_, chosen))
        text += QChar(' ') + tr("%1 contributes most to its logit (%2).")
                                 .arg(quoted(nameOf(words[apart->added])), numberText(apart->contribution));
    return text;
}

QString ClassifierView::pageCaption() const {
    if (!hasFigure())
        return whyNothing();
    return withModel(*run_->model, page() == Page::Answer ? answerCaption() : wordsCaption());
}

QString ClassifierView::caption() const {
    return hasFigure() ? (pageCaption() + QChar(' ') + whereTheyDiffer()).trimmed() : whyNothing();
}

void ClassifierView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (hasFigure())
        return;
    const QString what = page() == Page::Answer
                             ? tr("Shows the class probabilities and the contribution of each token.")
                             : tr("Shows how much a class loses without each word.");
    drawEmptyState(painter, QRectF(rect()).adjusted(0, 80, 0, 0), what, caption(), theme);
}

/// The height of the whole picture at this width.
double ClassifierView::pictureHeight(double width) const {
    const double row = BarsPicture::comfortableRow(font());
    if (page() == Page::Words)
        return wordPlot_->picture()->rows() * row;
    const auto* tokens = dynamic_cast<const GivenTokensPicture*>(tokenPlot_->picture().get());
    return classPlot_->picture()->rows() * row + figureGap + (tokens ? tokens->heightFor(width, font()) : 0);
}

double ClassifierView::captionHeight(double width) const {
    constexpr double any = 10'000;
    const QRectF room(0, 0, width, any);
    return figureParts().caption
               ? QFontMetricsF(font()).boundingRect(room, Qt::TextWordWrap, caption()).height() + figureGap
               : 0;
}

QSize ClassifierView::figureSize() const {
    constexpr int width = 900;
    return hasFigure() ? narrowFigure(width) : FigureSource::figureSize();
}

/// As high as the picture and its caption.
QSize ClassifierView::narrowFigure(int width) const {
    constexpr int highest = 16'000; // higher images cannot be written at twice the resolution
    if (!hasFigure())
        return figureSize();
    const double inside = width - 2 * classifierViewFigureMargin;
    const double height = pictureHeight(inside) + captionHeight(inside) + 2 * classifierViewFigureMargin;
    return {width, std::min(highest, static_cast<int>(std::ceil(height)))};
}

/// The caption directly follows the picture, also if the picture is cut short.
void ClassifierView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRectF(QPointF(), size), theme.background);
    if (!hasFigure())
        return;
    const QRectF inside = QRectF(QPointF(), size)
                              .adjusted(classifierViewFigureMargin, classifierViewFigureMargin,
                                        -classifierViewFigureMargin, -classifierViewFigureMargin);
    QRectF picture = inside;
    picture.setHeight(
        std::min(pictureHeight(inside.width()), inside.height() - captionHeight(inside.width())));
    painter.setFont(font());
    if (page() == Page::Answer) {
        QRectF above = picture;
        above.setHeight(std::min(classPlot_->picture()->rows() * BarsPicture::comfortableRow(font()),
                                 picture.height() / 2));
        classPlot_->picture()->draw(painter, above, font(), theme);
        const QRectF below = picture.adjusted(0, above.height() + figureGap, 0, 0);
        if (const auto* tokens = dynamic_cast<const GivenTokensPicture*>(tokenPlot_->picture().get())) {
            GivenTokensPicture unlit = *tokens; // without the mark of the pointer
            unlit.setLit(figureParts().marks ? selection_->pinned().key(trace::AttentionKind::EncoderSelf)
                                             : std::nullopt);
            unlit.setCutSaid(figureParts().notes);
            unlit.draw(painter, below, font(), theme);
        } else {
            tokenPlot_->picture()->draw(painter, below, font(), theme);
        }
    } else {
        wordPlot_->picture()->draw(painter, picture, font(), theme);
    }
    painter.setFont(font());
    painter.setPen(theme.text);
    painter.drawText(QRectF(QPointF(inside.left(), picture.bottom() + figureGap), inside.bottomRight()),
                     Qt::AlignTop | Qt::TextWordWrap, asCaption(caption()));
}

FigureText ClassifierView::figureText() const {
    return {.title = tr("Classifier"),
            .caption = caption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .quantity = page() == Page::Words ? tr("probability lost") : tr("logit")};
}

void ClassifierView::showFeatures() {
    const auto tokens = tokenLabels(run_->source);
    const auto& weights = reading_->weights.at(chosenClass());
    const QString chosen = nameOf(chosenClass());
    std::vector<TokenLabel> names;
    TableColumn feature{.title = tr("feature"), .toolTip = tr("counted from 0"), .write = wholeText};
    TableColumn position{.title = tr("position"), .toolTip = tr("of the token"), .write = wholeText};
    TableColumn value{.title = tr("value"), .toolTip = tr("the feature's largest value, from this token")};
    TableColumn weight{.title = tr("weight"), .toolTip = tr("of the feature for %1").arg(chosen)};
    TableColumn added{.title = tr("logit"),
                      .toolTip = tr("Contribution to the logit of %1: value times weight").arg(chosen),
                      .bars = TableColumn::Bars::Under};
    for (std::size_t f = 0; f < reading_->positions.size(); ++f) {
        names.push_back(tokens.at(reading_->positions[f]));
        feature.numbers.emplace_back(static_cast<double>(f));
        position.numbers.emplace_back(static_cast<double>(reading_->positions[f]));
        value.numbers.emplace_back(reading_->features.at(f));
        weight.numbers.emplace_back(weights.at(f));
        added.numbers.emplace_back(reading_->features[f] * weights[f]);
    }
    featureTable_->setColumns(
        {{.title = tr("token"), .tokens = std::move(names)}, feature, position, value, weight, added});
}

/// Includes the weights to every class.
trace::DataTable ClassifierView::featureData() const {
    QStringList tokens;
    std::vector<double> features, positions;
    for (std::size_t f = 0; f < reading_->positions.size(); ++f) {
        features.push_back(static_cast<double>(f));
        positions.push_back(static_cast<double>(reading_->positions[f]));
        tokens += tokenLabel(run_->source.at(reading_->positions[f])).full();
    }
    trace::DataTable table{.name = "features",
                           .columns = {dataColumn("feature", features), dataColumn("position", positions),
                                       dataColumn("token", tokens), dataColumn("value", reading_->features)}};
    for (std::size_t c = 0; c < reading_->weights.size(); ++c)
        table.columns.push_back(dataColumn(("weight_" + nameOf(c)).toStdString(), reading_->weights[c]));
    return table;
}

std::optional<PictureOptions> ClassifierView::picture(PictureOptions options) const {
    return ofView(std::move(options), "classifier", pageName("classifier", static_cast<int>(page())));
}

} // namespace headscope::widgets
