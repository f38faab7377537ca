#include <QTest>

#include "tests/watched_test.h"
#include "tests/widgets/example_architecture.h"
#include "widgets/views/architecture/architecture_layout.h"

using namespace headscope;
using widgets::ArchitectureLayout;

class ArchitectureLayoutTest : public QObject {
    Q_OBJECT

    using Kind = widgets::ArchitectureLine::Kind;

    analysis::Architecture architecture_;

    ArchitectureLayout layOut(const std::set<std::string>& unfolded,
                              const example::ArchitectureOptions& options = {}) {
        auto model = example::model({});
        example::describe(*model, options);
        architecture_ = analysis::architectureOf(*model);
        return widgets::layOutArchitecture(
            architecture_, unfolded,
            {.title = [](const auto& block) { return QString::fromStdString(block.role).right(14); },
             .tensor =
                 [](const auto& tensor) {
                     return QStringList{QString::fromStdString(letters(tensor.shape))};
                 },
             .tie = "tied",
             .width = [](const QString& words) { return 7.0 * static_cast<double>(words.size()); },
             .lineHeight = 16});
    }

    static QRectF area(const ArchitectureLayout& layout, const char* role) {
        const auto box = layout.boxOf(role);
        return box ? layout.boxes[*box].area : QRectF();
    }

    static int count(const ArchitectureLayout& layout, Kind kind) {
        return static_cast<int>(std::ranges::count(layout.lines, kind, &widgets::ArchitectureLine::kind));
    }

    static bool isBypass(const widgets::ArchitectureLine& line) { return line.kind == Kind::Bypass; }

    static std::set<std::string> everything() {
        std::set<std::string> roles;
        for (const char* stack : {"encoder", "decoder"}) {
            roles.insert(stack);
            for (const char* layer : {".0", ".1", ".2"})
                for (const char* part : {"", ".self", ".cross", ".feed_forward"})
                    roles.insert(std::string(stack) + layer + part);
        }
        return roles;
    }

  private Q_SLOTS:
    void thePassRunsUpwardsEncoderLeftDecoderRight() {
        const auto layout = layOut({});
        QVERIFY(area(layout, "encoder").bottom() < area(layout, "source_embedding").top());
        QVERIFY(area(layout, "generator").bottom() < area(layout, "decoder").top());
        QVERIFY(area(layout, "encoder").right() < area(layout, "decoder").left());
        QCOMPARE(area(layout, "source_embedding").top(), area(layout, "target_embedding").top());
        QVERIFY(layout.head.bottom() < area(layout, "log_softmax").top());
    }

    void aFoldedStackIsOneBlock() {
        const auto layout = layOut({});
        QVERIFY(!layout.boxOf("encoder.0"));
        QVERIFY(layout.boxOf("encoder"));
        QCOMPARE(count(layout, Kind::Memory), 1);
        QCOMPARE(count(layout, Kind::Bypass), 0);
    }

    void anUnfoldedStackFramesItsLayers() {
        const auto layout = layOut({"encoder", "decoder", "decoder.1"});
        for (const char* layer : {"encoder.0", "encoder.1", "encoder.2", "encoder.final_norm"})
            QVERIFY2(area(layout, "encoder").contains(area(layout, layer)), layer);
        QVERIFY(area(layout, "decoder.1").contains(area(layout, "decoder.1.cross")));
        QVERIFY(area(layout, "decoder.1").bottom() < area(layout, "decoder.0").top());
        QCOMPARE(count(layout, Kind::Bypass), 3);
        QCOMPARE(count(layout, Kind::Memory), 3); // every layer reads the encoder's output
    }

    void theEncodersOutputEntersCrossAttention() {
        const auto layout = layOut({"decoder", "decoder.0"});
        const QRectF cross = area(layout, "decoder.0.cross");
        const auto found = std::ranges::find_if(layout.lines, [&](const auto& line) {
            return line.kind == Kind::Memory &&
                   line.points.back() == QPointF(cross.left(), cross.center().y());
        });
        QVERIFY(found != layout.lines.end());
    }

    void residualConnectionsRunOutsideOfWhatTheyPass() {
        for (const char* scheme : {"pre", "post", "pre-normed-residual", "sublayer-output"}) {
            const auto layout = layOut(everything(), {.norm = scheme});
            for (const auto& line : tests::some(layout.lines | std::views::filter(isBypass))) {
                const QLineF upright(line.points[1], line.points[2]);
                for (const auto& box : layout.boxes)
                    if (!box.unfolded || !box.area.contains(line.points[1]))
                        QVERIFY2(!box.area.contains(upright.center()), box.block->role.c_str());
            }
        }
    }

    void noTwoBlocksOverlapUnlessOneFramesTheOther() {
        const auto layout = layOut(everything(), {.tied = true});
        for (const auto& one : tests::some(layout.boxes))
            for (const auto& other : layout.boxes)
                if (&one != &other && one.area.intersects(other.area))
                    QVERIFY2(one.area.contains(other.area) || other.area.contains(one.area),
                             (one.block->role + " " + other.block->role).c_str());
    }

    void everythingLiesInThePictureAndEveryShapeBesideItsArrow() {
        for (const bool classifier : {false, true}) {
            const auto layout = layOut(everything(), {.tied = !classifier, .classifier = classifier});
            const QRectF picture(QPointF(), layout.size);
            for (const auto& box : tests::some(layout.boxes))
                QVERIFY2(picture.contains(box.area), box.block->role.c_str());
            for (const auto& line : tests::some(layout.lines)) {
                QVERIFY(picture.contains(line.points.boundingRect().adjusted(-.5, -.5, .5, .5)));
                QVERIFY(picture.contains(line.labelArea) || line.label.isEmpty());
                for (const auto& box : layout.boxes)
                    if (!box.unfolded && !line.upright)
                        QVERIFY2(!box.area.intersects(line.labelArea), box.block->role.c_str());
            }
        }
    }

    void arrowKeysWalkThePassAndCrossTheColumns() {
        const auto layout = layOut({"encoder"});
        const auto at = [&](const char* role, int along, int across) {
            return layout.boxes[layout.neighbour(*layout.boxOf(role), along, across)].block->role;
        };
        QCOMPARE(at("encoder", 1, 0), std::string("encoder.0"));
        QCOMPARE(at("encoder.0", -1, 0), std::string("encoder"));
        QCOMPARE(at("encoder.final_norm", 1, 0), std::string("encoder.final_norm"));
        QCOMPARE(at("target_embedding", -1, 0), std::string("target_embedding"));
        QCOMPARE(at("source_embedding", 0, 1), std::string("target_embedding"));
        QCOMPARE(at("target_embedding", 0, -1), std::string("source_embedding"));
        QCOMPARE(at("source_embedding", 0, -1), std::string("source_embedding"));
    }

    void everyBranchIntoCrossAttentionAndEveryResidualConnectionHasAShape() {
        const auto layout = layOut(everything());
        QVERIFY(count(layout, Kind::Memory) > 0 && count(layout, Kind::Bypass) > 0);
        for (const auto& line : layout.lines)
            QVERIFY((line.kind != Kind::Memory && line.kind != Kind::Bypass) || !line.label.isEmpty());
    }

    void whereThereIsLittleRoomNumbersStandBelowLetters() {
        QCOMPARE(widgets::inTwoLines({"(N, S) = (1, 7)"}), (QStringList{"(N, S)", "= (1, 7)"}));
        QCOMPARE(widgets::inTwoLines({"(N, S)"}), QStringList{"(N, S)"});
    }

    /// Lines and blocks belong to the sublayer that a residual connection bypasses.
    void whatAResidualConnectionLeadsPastIsPartOfItsSublayer() {
        const trace::SublayerAddress cross{trace::SublayerKind::Cross, 0};
        for (const char* scheme : {"pre", "post", "pre-normed-residual", "sublayer-output"}) {
            const auto layout = layOut(everything(), {.norm = scheme});
            const auto part = [&](const char* role) { return layout.boxes[*layout.boxOf(role)].part; };
            QVERIFY(part("decoder.0.cross") == cross);
            QVERIFY(part("decoder.0.cross.softmax") == cross);
            QVERIFY(!part("decoder.0"));
            const bool normIsInside =
                std::string(scheme) == "pre" || std::string(scheme) == "sublayer-output";
            QCOMPARE(part("decoder.0.norm_cross").has_value(), normIsInside);
            for (const auto& line : layout.lines) {
                if (line.kind == Kind::Bypass) // V stays within its attention, the stream bypasses it
                    QCOMPARE(line.part.has_value(), line.label.front().startsWith("(N, h"));
                if (line.kind == Kind::Memory)
                    QVERIFY(line.reader && line.reader->readsMemory);
            }
        }
    }

    void tiedWeightsAreJoined() {
        QCOMPARE(count(layOut({}, {.tied = true}), Kind::Tie), 2);
        QCOMPARE(count(layOut({}), Kind::Tie), 0);
    }
};

HEADSCOPE_WATCHED_TEST(ArchitectureLayoutTest)
#include "architecture_layout_test.moc"
