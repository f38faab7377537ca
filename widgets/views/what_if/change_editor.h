#pragma once

#include <QDialog>

#include "model/trace/intervention.h"
#include "model/trace/run.h"

#include <functional>
#include <memory>

class QComboBox;
class QFormLayout;

namespace headscope::widgets {

/// A form for one change; its fields depend on the kind of change. Rows and keys are listed with their
/// tokens.
class ChangeEditor : public QDialog {
    Q_OBJECT

  public:
    /// Starts with `change`. `run` may be null.
    ChangeEditor(const trace::Change& change, std::shared_ptr<const trace::ModelSummary> model,
                 std::shared_ptr<const trace::Run> run, QWidget* parent = nullptr);

    /// The change as currently entered.
    trace::Change change() const { return read_(); }

    /// Returns false for a change without settings.
    static bool hasFields(const trace::Change& change);

  Q_SIGNALS:
    /// Whether all required fields are filled, and what is missing.
    void filled(bool enough, const QString& whyNot);

  private:
    using Read = std::function<trace::Change()>;

    Read fields(const trace::ScaleHead& change);
    Read fields(const trace::ScaleSublayer& change);
    Read fields(const trace::BlockCell& change);
    Read fields(const trace::ForceRow& change);
    Read fields(const trace::ReplaceHead& change);
    Read fields(const trace::LiftMask& change);
    Read fields(const trace::ScaleScores& change);
    Read fields(const trace::SoftmaxTemperature& change);
    Read fields(const trace::ChangePositions& change);

    std::function<trace::HeadAddress()> addHead(const trace::HeadAddress& head,
                                                std::function<void(trace::HeadAddress)> changed = {});
    std::function<double()> addFactor(double factor);
    std::function<double()> addNumber(const QString& name, double value, double least, double most);
    /// Fills `box` with the tokens along one axis of a head's map, at least up to `chosen`.
    void fillQueries(QComboBox* box, trace::AttentionKind kind, std::size_t chosen) const;
    void fillKeys(QComboBox* box, trace::AttentionKind kind, std::size_t chosen) const;
    QComboBox* makeBox(const QString& name);
    /// Labels the box with its accessible name.
    void addBox(QComboBox* box);

    std::shared_ptr<const trace::ModelSummary> model_;
    std::shared_ptr<const trace::Run> run_;
    QFormLayout* form_;
    Read read_;
};

} // namespace headscope::widgets
