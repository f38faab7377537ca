#include "widgets/words/change_words.h"

#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>

namespace headscope::widgets {

namespace {

using trace::PositionChange;
using trace::RowPattern;

struct ChangeWords {
    Q_DECLARE_TR_FUNCTIONS(ChangeWords)
};

/// Up to six significant digits.
QString text(double value) {
    return QString::number(value, 'g', 6);
}

struct Title {
    QString operator()(const trace::ScaleHead& change) const {
        return change.factor == 0
                   ? ChangeWords::tr("Disable %1").arg(address(change.head))
                   : ChangeWords::tr("Scale %1 by %2").arg(address(change.head), text(change.factor));
    }
    QString operator()(const trace::ScaleSublayer& change) const {
        return ChangeWords::tr("Scale %1 by %2")
            .arg(QString::fromStdString(trace::toString(change.sublayer)), text(change.factor));
    }
    QString operator()(const trace::BlockCell& change) const {
        return ChangeWords::tr("Block %1 cell %2, %3")
            .arg(address(change.head))
            .arg(change.query)
            .arg(change.key);
    }
    QString operator()(const trace::ForceRow& change) const {
        const QString row = ChangeWords::tr("%1 row %2").arg(address(change.head)).arg(change.query);
        switch (change.pattern) {
        case RowPattern::Uniform:
            return ChangeWords::tr("Force %1 to uniform").arg(row);
        case RowPattern::Hard:
            return ChangeWords::tr("Force %1 to its top-scoring key").arg(row);
        case RowPattern::Key:
            break;
        }
        return ChangeWords::tr("Force %1 to key %2").arg(row).arg(change.key);
    }
    QString operator()(const trace::ReplaceHead& change) const {
        return change.sentence ? ChangeWords::tr("Replace %1 by Another Sentence").arg(address(change.head))
                               : ChangeWords::tr("Replace %1 by Its Mean").arg(address(change.head));
    }
    QString operator()(const trace::LiftMask&) const { return ChangeWords::tr("Lift the Subsequent Mask"); }
    QString operator()(const trace::ScaleScores& change) const {
        return change.factor ? ChangeWords::tr("Scale Scores by %1").arg(text(*change.factor))
                             : ChangeWords::tr("Remove 1/\u221Ad_k");
    }
    QString operator()(const trace::SoftmaxTemperature& change) const {
        return ChangeWords::tr("Softmax Temperature %1").arg(text(change.temperature));
    }
    QString operator()(const trace::ChangePositions& change) const {
        switch (change.change) {
        case PositionChange::None:
            return ChangeWords::tr("Remove Positions");
        case PositionChange::Shuffle:
            return ChangeWords::tr("Shuffle Positions");
        case PositionChange::Shift:
            break;
        }
        return ChangeWords::tr("Shift Positions by %1").arg(change.number);
    }
};

struct Sentence {
    const trace::Run* run;

    QString query(const trace::HeadAddress& head, std::size_t row) const {
        const auto kind = head.site.kind;
        return run && row < run->queryTokens(kind).size() ? queryInWords(*run, kind, row)
                                                          : ChangeWords::tr("row %1").arg(row);
    }
    QString key(const trace::HeadAddress& head, std::size_t column) const {
        const auto kind = head.site.kind;
        return run && column < run->keyTokens(kind).size() ? keyInWords(*run, kind, column)
                                                           : ChangeWords::tr("key %1").arg(column);
    }
    static QString scaled(const QString& place, double factor) {
        return factor == 0 ? ChangeWords::tr("%1: switched off").arg(place)
                           : ChangeWords::tr("%1: times %2").arg(place, text(factor));
    }

    QString operator()(const trace::ScaleHead& change) const {
        return scaled(address(change.head), change.factor);
    }
    QString operator()(const trace::ScaleSublayer& change) const {
        return scaled(QString::fromStdString(trace::toString(change.sublayer)), change.factor);
    }
    QString operator()(const trace::BlockCell& change) const {
        return ChangeWords::tr("%1: %2 cannot attend to %3")
            .arg(address(change.head), query(change.head, change.query), key(change.head, change.key));
    }
    QString operator()(const trace::ForceRow& change) const {
        const QString place =
            ChangeWords::tr("%1, %2").arg(address(change.head), query(change.head, change.query));
        switch (change.pattern) {
        case RowPattern::Uniform:
            return ChangeWords::tr("%1: attends to all allowed keys uniformly").arg(place);
        case RowPattern::Hard:
            return ChangeWords::tr("%1: attends to its top-scoring key only").arg(place);
        case RowPattern::Key:
            break;
        }
        return ChangeWords::tr("%1: attends to %2 only").arg(place, key(change.head, change.key));
    }
    QString operator()(const trace::ReplaceHead& change) const {
        return change.sentence
                   ? ChangeWords::tr("%1: replaced by its output on \u201C%2\u201D")
                         .arg(address(change.head), isolated(QString::fromStdString(*change.sentence)))
                   : ChangeWords::tr("%1: replaced by its mean over sample sentences")
                         .arg(address(change.head));
    }
    QString operator()(const trace::LiftMask&) const {
        return ChangeWords::tr("Subsequent mask lifted: the decoder sees later tokens");
    }
    QString operator()(const trace::ScaleScores& change) const {
        return change.factor ? ChangeWords::tr("Scores of every head times %1 instead of 1/\u221Ad_k")
                                   .arg(text(*change.factor))
                             : ChangeWords::tr("Scores of every head without 1/\u221Ad_k");
    }
    QString operator()(const trace::SoftmaxTemperature& change) const {
        return ChangeWords::tr("Softmax of every head at temperature %1").arg(text(change.temperature));
    }
    QString operator()(const trace::ChangePositions& change) const {
        switch (change.change) {
        case PositionChange::None:
            return ChangeWords::tr("Positions removed");
        case PositionChange::Shuffle:
            return ChangeWords::tr("Positions shuffled (seed %1)").arg(change.number);
        case PositionChange::Shift:
            break;
        }
        return ChangeWords::tr("Positions shifted by %1").arg(change.number);
    }
};

} // namespace

QString changeTitle(const trace::Change& change) {
    return std::visit(Title(), change);
}

QString enableTitle(const trace::HeadAddress& head) {
    return ChangeWords::tr("Enable %1").arg(address(head));
}

QString changeInWords(const trace::Change& change, const trace::Run* run) {
    return std::visit(Sentence{run}, change);
}

QString changeOption(const trace::Change& change) {
    const auto [option, argument] = trace::toOption(change);
    return QString::fromStdString(argument.empty() ? option : option + " " + argument);
}

QString sublayerTitle(const trace::SublayerAddress& sublayer) {
    using enum trace::SublayerKind;
    QString kind;
    switch (sublayer.kind) {
    case EncoderSelf:
        kind = kindTitle(trace::AttentionKind::EncoderSelf);
        break;
    case DecoderSelf:
        kind = kindTitle(trace::AttentionKind::DecoderSelf);
        break;
    case Cross:
        kind = kindTitle(trace::AttentionKind::Cross);
        break;
    case EncoderFeedForward:
        kind = ChangeWords::tr("Encoder feed-forward");
        break;
    case DecoderFeedForward:
        kind = ChangeWords::tr("Decoder feed-forward");
        break;
    }
    return ChangeWords::tr("%1, layer %2").arg(kind).arg(sublayer.layer);
}

} // namespace headscope::widgets
