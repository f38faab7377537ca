#include "widgets/controls/head_picker.h"

#include "widgets/words/captions.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace headscope::widgets {

namespace {

using trace::AttentionKind;
using trace::SublayerKind;

/// Fills the box with "layer 0", "layer 1", ... and keeps the selected number, limited to the last one.
void fillNumbers(QComboBox* box, const QString& word, int count) {
    const QSignalBlocker quiet(box);
    const int chosen = box->currentIndex();
    box->clear();
    for (int i = 0; i < count; ++i)
        box->addItem(word.arg(i));
    box->setCurrentIndex(std::clamp(chosen, 0, std::max(0, count - 1)));
}

bool isOfEncoder(SublayerKind kind) {
    return kind == SublayerKind::EncoderSelf || kind == SublayerKind::EncoderFeedForward;
}

int layersOf(const trace::ModelSummary& model, SublayerKind kind) {
    return isOfEncoder(kind)             ? model.encoderLayers
           : kind == SublayerKind::Cross ? model.layers(AttentionKind::Cross)
                                         : model.decoderLayers;
}

QHBoxLayout* tightRow(QWidget* parent) {
    auto* row = new QHBoxLayout(parent);
    row->setContentsMargins(0, 0, 0, 0);
    return row;
}

} // namespace

HeadPicker::HeadPicker(std::shared_ptr<const trace::ModelSummary> model, const trace::HeadAddress& head,
                       QWidget* parent)
    : QWidget(parent), model_(std::move(model)), kind_(new QComboBox(this)), layer_(new QComboBox(this)),
      head_(new QComboBox(this)) {
    kind_->setAccessibleName(tr("Kind of attention"));
    layer_->setAccessibleName(tr("Layer"));
    head_->setAccessibleName(tr("Head"));
    for (const auto kind : trace::attentionKinds)
        if (model_->layers(kind) > 0)
            kind_->addItem(kindTitle(kind), static_cast<int>(kind));
    kind_->setCurrentIndex(std::max(0, kind_->findData(static_cast<int>(head.site.kind))));
    fillLayersAndHeads();
    layer_->setCurrentIndex(std::clamp<std::size_t>(head.site.layer, 0, std::max(0, layer_->count() - 1)));
    head_->setCurrentIndex(std::clamp<std::size_t>(head.head, 0, std::max(0, head_->count() - 1)));
    auto* row = tightRow(this);
    for (auto* box : {kind_, layer_, head_})
        row->addWidget(box);
    connect(kind_, &QComboBox::currentIndexChanged, this, &HeadPicker::fillLayersAndHeads);
    for (auto* box : {kind_, layer_, head_})
        connect(box, &QComboBox::currentIndexChanged, this, &HeadPicker::headChanged);
}

void HeadPicker::fillLayersAndHeads() {
    const auto kind = head().site.kind;
    fillNumbers(layer_, tr("layer %1"), model_->layers(kind));
    fillNumbers(head_, tr("head %1"), model_->heads(kind));
}

trace::HeadAddress HeadPicker::head() const {
    return {{static_cast<AttentionKind>(kind_->currentData().toInt()), std::max(0, layer_->currentIndex())},
            std::max(0, head_->currentIndex())};
}

SublayerPicker::SublayerPicker(std::shared_ptr<const trace::ModelSummary> model,
                               const trace::SublayerAddress& sublayer, QWidget* parent)
    : QWidget(parent), model_(std::move(model)), kind_(new QComboBox(this)), layer_(new QComboBox(this)) {
    kind_->setAccessibleName(tr("Kind of sublayer"));
    layer_->setAccessibleName(tr("Layer"));
    const std::pair<SublayerKind, QString> kinds[] = {
        {SublayerKind::EncoderSelf, kindTitle(AttentionKind::EncoderSelf)},
        {SublayerKind::EncoderFeedForward, tr("Encoder feed-forward")},
        {SublayerKind::DecoderSelf, kindTitle(AttentionKind::DecoderSelf)},
        {SublayerKind::Cross, kindTitle(AttentionKind::Cross)},
        {SublayerKind::DecoderFeedForward, tr("Decoder feed-forward")},
    };
    for (const auto& [kind, title] : kinds)
        if (layersOf(*model_, kind) > 0)
            kind_->addItem(title, static_cast<int>(kind));
    kind_->setCurrentIndex(std::max(0, kind_->findData(static_cast<int>(sublayer.kind))));
    fillLayers();
    layer_->setCurrentIndex(std::clamp<std::size_t>(sublayer.layer, 0, std::max(0, layer_->count() - 1)));
    auto* row = tightRow(this);
    row->addWidget(kind_);
    row->addWidget(layer_);
    connect(kind_, &QComboBox::currentIndexChanged, this, &SublayerPicker::fillLayers);
}

void SublayerPicker::fillLayers() {
    fillNumbers(layer_, tr("layer %1"), layersOf(*model_, sublayer().kind));
}

trace::SublayerAddress SublayerPicker::sublayer() const {
    return {static_cast<SublayerKind>(kind_->currentData().toInt()), std::max(0, layer_->currentIndex())};
}

} // namespace headscope::widgets
