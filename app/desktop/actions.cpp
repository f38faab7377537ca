#include "app/desktop/actions.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <array>

namespace headscope::app {

namespace {

enum class Form { Plain, Checkable, Choice };

struct Row {
    ActionId id = {};
    const char* menu;
    const char* text = "";
    const char* shortcut = ""; ///< as that of widgets::ActionSpec
    const char* tooltip = "";
    Form form = Form::Plain;
    const char* group = nullptr; ///< choices of a group exclude each other
    bool separatorBefore = false;
    bool isOfViews = false; ///< stands for the actions that views bring with them
};

// Shortcuts without Ctrl or Alt work only if no field, button, list or map has the focus (ShortcutRules).
constexpr std::array rows{
    Row{ActionId::OpenFolder, "&File", QT_TRANSLATE_NOOP("Actions", "&Open Model Folder..."), "Ctrl+O",
        QT_TRANSLATE_NOOP("Actions", "Open a folder with weights, configuration and tokenizer")},
    Row{ActionId::OpenFile, "&File", QT_TRANSLATE_NOOP("Actions", "Open &Weights File or Trace..."),
        "Ctrl+Shift+O", QT_TRANSLATE_NOOP("Actions", "Open a .safetensors or PyTorch file, or a trace")},
    Row{ActionId::AskAgain, "&File", QT_TRANSLATE_NOOP("Actions", "Model Settin&gs..."), "",
        QT_TRANSLATE_NOOP("Actions", "Discard the settings given for this model and open it again")},
    Row{ActionId::OpenSession, "&File", QT_TRANSLATE_NOOP("Actions", "Open S&ession..."), "Ctrl+Alt+O",
        QT_TRANSLATE_NOOP("Actions", "Restore model, sentence, changes and views from a session file"),
        Form::Plain, nullptr, true},
    Row{ActionId::SaveSession, "&File", QT_TRANSLATE_NOOP("Actions", "Save Sess&ion"), "Ctrl+E",
        QT_TRANSLATE_NOOP("Actions", "Save model name, sentence, changes and views, but not the weights")},
    Row{ActionId::SaveSessionAs, "&File", QT_TRANSLATE_NOOP("Actions", "Save Sessio&n As..."), "Ctrl+Shift+E",
        QT_TRANSLATE_NOOP("Actions", "Save the session under another name")},
    Row{ActionId::Train, "&File", QT_TRANSLATE_NOOP("Actions", "T&rain..."), "Ctrl+Shift+N",
        QT_TRANSLATE_NOOP("Actions", "Train a model on sentences of your own, or on a toy task"), Form::Plain,
        nullptr, true},
    Row{ActionId::SaveTrace, "&File", QT_TRANSLATE_NOOP("Actions", "Save &Trace..."), "Ctrl+Alt+T",
        QT_TRANSLATE_NOOP("Actions", "Save all numbers of this run; the trace opens without the model"),
        Form::Plain, nullptr, true},
    Row{ActionId::SavePicture, "&File", QT_TRANSLATE_NOOP("Actions", "Export &Picture..."), "Ctrl+S",
        QT_TRANSLATE_NOOP("Actions", "Export the front view as PNG, SVG or PDF")},
    Row{ActionId::SaveData, "&File", QT_TRANSLATE_NOOP("Actions", "Export &Data..."), "Ctrl+Shift+S",
        QT_TRANSLATE_NOOP("Actions",
                          "Export the numbers behind the front view for spreadsheets and programs")},
    Row{.menu = "&File", .isOfViews = true},
    Row{ActionId::Quit, "&File", QT_TRANSLATE_NOOP("Actions", "&Quit"), "Ctrl+Q",
        QT_TRANSLATE_NOOP("Actions", "Close the window"), Form::Plain, nullptr, true},

    Row{ActionId::Undo, "&Edit", QT_TRANSLATE_NOOP("Actions", "&Undo"), "Ctrl+Z",
        QT_TRANSLATE_NOOP("Actions", "Undo the last change of the experiment")},
    Row{ActionId::Redo, "&Edit", QT_TRANSLATE_NOOP("Actions", "&Redo"), "Ctrl+Shift+Z; Ctrl+Y",
        QT_TRANSLATE_NOOP("Actions", "Redo the last undone change")},
    Row{ActionId::EditSentence, "&Edit", QT_TRANSLATE_NOOP("Actions", "Edit the &Sentence"), "Ctrl+L",
        QT_TRANSLATE_NOOP("Actions", "Go to the sentence field"), Form::Plain, nullptr, true},
    Row{ActionId::CopyPicture, "&Edit", QT_TRANSLATE_NOOP("Actions", "&Copy Picture"), "Ctrl+Shift+C",
        QT_TRANSLATE_NOOP("Actions", "Copy the front view as a picture"), Form::Plain, nullptr, true},
    Row{ActionId::CopyTable, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy as Ta&ble"), "Ctrl+Alt+C",
        QT_TRANSLATE_NOOP("Actions", "Copy the numbers behind the front view as a table for spreadsheets")},
    Row{ActionId::CopyTranslation, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy &Translation"), "Ctrl+Shift+T",
        QT_TRANSLATE_NOOP("Actions", "Copy the decoded text")},
    Row{ActionId::CopyCell, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy the Cell's &Value"), "Ctrl+Shift+V",
        QT_TRANSLATE_NOOP("Actions", "Copy the status bar's text about the cell")},
    Row{ActionId::CopyCommand, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy as C&ommand"), "Ctrl+Shift+X",
        QT_TRANSLATE_NOOP(
            "Actions", "Copy the headscope-cli command that draws the front view or gives the same numbers")},
    Row{ActionId::Unpin, "&Edit", QT_TRANSLATE_NOOP("Actions", "U&npin"), "Esc",
        QT_TRANSLATE_NOOP("Actions", "Release the pinned cell or token")},

    Row{.menu = "&View", .isOfViews = true},
    Row{ActionId::KindEncoder, "&View", QT_TRANSLATE_NOOP("Actions", "&Encoder"), "1",
        QT_TRANSLATE_NOOP("Actions", "Self-attention of the encoder"), Form::Choice, "kind", true},
    Row{ActionId::KindDecoder, "&View", QT_TRANSLATE_NOOP("Actions", "&Decoder"), "2",
        QT_TRANSLATE_NOOP("Actions", "Masked self-attention of the decoder"), Form::Choice, "kind"},
    Row{ActionId::KindCross, "&View", QT_TRANSLATE_NOOP("Actions", "Cro&ss"), "3",
        QT_TRANSLATE_NOOP("Actions", "Attention of the decoder to the source"), Form::Choice, "kind"},
    Row{ActionId::PreviousHead, "&View", QT_TRANSLATE_NOOP("Actions", "Previous Head"), "Up",
        QT_TRANSLATE_NOOP("Actions", "The previous head in this layer"), Form::Plain, nullptr, true},
    Row{ActionId::NextHead, "&View", QT_TRANSLATE_NOOP("Actions", "Next Head"), "Down",
        QT_TRANSLATE_NOOP("Actions", "The next head in this layer")},
    Row{ActionId::PreviousLayer, "&View", QT_TRANSLATE_NOOP("Actions", "Previous Layer"), "PgUp",
        QT_TRANSLATE_NOOP("Actions", "The same head in the previous layer")},
    Row{ActionId::NextLayer, "&View", QT_TRANSLATE_NOOP("Actions", "Next Layer"), "PgDown",
        QT_TRANSLATE_NOOP("Actions", "The same head in the next layer")},
    Row{ActionId::EarlierSnapshot, "&View", QT_TRANSLATE_NOOP("Actions", "Earlier in Trainin&g"), ",",
        QT_TRANSLATE_NOOP("Actions", "Show the previous snapshot of the model"), Form::Plain, nullptr, true},
    Row{ActionId::LaterSnapshot, "&View", QT_TRANSLATE_NOOP("Actions", "Later in &Training"), ".",
        QT_TRANSLATE_NOOP("Actions", "Show the next snapshot of the model")},
    Row{ActionId::PlaySnapshots, "&View", QT_TRANSLATE_NOOP("Actions", "Play the Training"), "",
        QT_TRANSLATE_NOOP("Actions", "Show the snapshots one after another; at the end, start again")},
    Row{ActionId::PinHead, "&View", QT_TRANSLATE_NOOP("Actions", "Pi&n or Unpin the Head"), "P",
        QT_TRANSLATE_NOOP("Actions", "Keep the selected head in a panel of its own; at most four heads"),
        Form::Plain, nullptr, true},
    Row{ActionId::UnpinHeads, "&View", QT_TRANSLATE_NOOP("Actions", "&Unpin All Heads"), "",
        QT_TRANSLATE_NOOP("Actions", "Show only the selected head")},
    Row{ActionId::SpaceMarks, "&View", QT_TRANSLATE_NOOP("Actions", "Space Marks in T&okens"), "Ctrl+M",
        QT_TRANSLATE_NOOP("Actions", "Mark where a token begins a word"), Form::Checkable, nullptr, true},
    Row{ActionId::ThemeSystem, "&View", QT_TRANSLATE_NOOP("Actions", "Colours of the S&ystem"), "",
        QT_TRANSLATE_NOOP("Actions", "Follow the desktop's light or dark theme"), Form::Choice, "theme",
        true},
    Row{ActionId::ThemeLight, "&View", QT_TRANSLATE_NOOP("Actions", "L&ight"), "",
        QT_TRANSLATE_NOOP("Actions", "Always light"), Form::Choice, "theme"},
    Row{ActionId::ThemeDark, "&View", QT_TRANSLATE_NOOP("Actions", "Dar&k"), "",
        QT_TRANSLATE_NOOP("Actions", "Always dark"), Form::Choice, "theme"},

    Row{ActionId::ShowWeights, "&Map", QT_TRANSLATE_NOOP("Actions", "&Weights"), "Ctrl+W",
        QT_TRANSLATE_NOOP("Actions", "After mask and softmax; each row sums to 1"), Form::Choice, "show"},
    Row{ActionId::ShowScores, "&Map", QT_TRANSLATE_NOOP("Actions", "&Scores"), "Ctrl+Shift+W",
        QT_TRANSLATE_NOOP("Actions", "Scaled products of queries and keys, before the mask"), Form::Choice,
        "show"},
    Row{ActionId::ShowOpenScores, "&Map", QT_TRANSLATE_NOOP("Actions", "Scores &after the Mask"), "",
        QT_TRANSLATE_NOOP("Actions", "The softmax's input; masked cells are hatched"), Form::Choice, "show"},
    Row{ActionId::ShowNormWeighted, "&Map", QT_TRANSLATE_NOOP("Actions", "&Norm-Weighted Attention"),
        "Ctrl+Alt+N",
        QT_TRANSLATE_NOOP("Actions",
                          "Norm of the vector that the head adds for each key (Kobayashi et al. 2020)"),
        Form::Choice, "show"},
    Row{ActionId::ShowNormShares, "&Map", QT_TRANSLATE_NOOP("Actions", "Norm-Weighted, S&hares of the Row"),
        "", QT_TRANSLATE_NOOP("Actions", "Each row divided by its sum"), Form::Choice, "show"},
    Row{ActionId::ShowRollout, "&Map", QT_TRANSLATE_NOOP("Actions", "&Roll-Out of All Heads"), "Ctrl+Alt+R",
        QT_TRANSLATE_NOOP("Actions", "Weights multiplied through all layers up to this one, with half of "
                                     "each sublayer bypassed (Abnar and Zuidema 2020)"),
        Form::Choice, "show"},
    Row{ActionId::ShowContributions, "&Map", QT_TRANSLATE_NOOP("Actions", "A&LTI+ of All Heads"),
        "Ctrl+Alt+A",
        QT_TRANSLATE_NOOP(
            "Actions",
            "Contribution of each token through all heads and layers up to this one (Ferrando et al. 2022)"),
        Form::Choice, "show"},
    Row{ActionId::ShowGradient, "&Map", QT_TRANSLATE_NOOP("Actions", "&Gradient Times Attention"),
        "Ctrl+Alt+G",
        QT_TRANSLATE_NOOP("Actions", "Effect of a larger weight on the logit of the current step's token"),
        Form::Choice, "show"},
    Row{ActionId::ScaleLinear, "&Map", QT_TRANSLATE_NOOP("Actions", "L&inear Colours"), "Ctrl+G",
        QT_TRANSLATE_NOOP("Actions", "Colour is proportional to the value"), Form::Choice, "colours", true},
    Row{ActionId::ScaleLogarithmic, "&Map", QT_TRANSLATE_NOOP("Actions", "Logarithmi&c Colours"),
        "Ctrl+Shift+G",
        QT_TRANSLATE_NOOP("Actions",
                          "Colour follows the logarithm of the value: small weights become visible"),
        Form::Choice, "colours"},
    Row{ActionId::ScaleRank, "&Map", QT_TRANSLATE_NOOP("Actions", "Colours by Ran&k"), "",
        QT_TRANSLATE_NOOP("Actions", "Colour follows the rank of the value, not its size"), Form::Choice,
        "colours"},
#define MAP_FLAG(MEMBER, ACTION, NAME, MENU, SHORTCUT, SEPARATED, TIP, HELP)                                 \
    Row{ActionId::ACTION, "&Map", MENU, SHORTCUT, TIP, Form::Checkable, nullptr, SEPARATED},
#include "widgets/map_flags.def"
#undef MAP_FLAG
    Row{ActionId::FitMap, "&Map", QT_TRANSLATE_NOOP("Actions", "&Fit the Map"), "Ctrl+0; 0",
        QT_TRANSLATE_NOOP("Actions", "Show the whole map"), Form::Plain, nullptr, true},
    Row{ActionId::ZoomIn, "&Map", QT_TRANSLATE_NOOP("Actions", "&Zoom In"), "+; =; Ctrl++; Ctrl+=",
        QT_TRANSLATE_NOOP("Actions", "Zoom into the focused or visible map, around its cell or centre")},
    Row{ActionId::ZoomOut, "&Map", QT_TRANSLATE_NOOP("Actions", "Zoom &Out"), "-; Ctrl+-",
        QT_TRANSLATE_NOOP("Actions", "Zoom out of the focused or visible map")},

    Row{ActionId::Decode, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Decode"), "Ctrl+Return",
        QT_TRANSLATE_NOOP("Actions", "Decode the sentence from its start")},
    Row{ActionId::StepByStep, "&Decode", QT_TRANSLATE_NOOP("Actions", "Step b&y Step"), "Ctrl+T",
        QT_TRANSLATE_NOOP("Actions", "Decode one token for each step forward"), Form::Checkable},
    Row{ActionId::ToStart, "&Decode", QT_TRANSLATE_NOOP("Actions", "To the &Start"), "Home",
        QT_TRANSLATE_NOOP("Actions", "Go to the first step"), Form::Plain, nullptr, true},
    Row{ActionId::Back, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Back"), "Left",
        QT_TRANSLATE_NOOP("Actions", "Go one step back")},
    Row{ActionId::Forward, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Forward"), "Right",
        QT_TRANSLATE_NOOP("Actions", "Go one step forward; at the end, decode one more token")},
    Row{ActionId::ToEnd, "&Decode", QT_TRANSLATE_NOOP("Actions", "To the &End"), "End",
        QT_TRANSLATE_NOOP("Actions", "Decode the remaining tokens and go to the last step")},
    Row{ActionId::RunTo, "&Decode", QT_TRANSLATE_NOOP("Actions", "R&un Until..."), "Ctrl+R",
        QT_TRANSLATE_NOOP("Actions",
                          "Decode until the output contains a word or an uncertain token is chosen")},
    Row{ActionId::NextUnsure, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Next Unsure Token"), "U",
        QT_TRANSLATE_NOOP(
            "Actions", "Go to the next token chosen with low probability; after the last one, start again")},
    Row{ActionId::DecodingOptions, "&Decode", QT_TRANSLATE_NOOP("Actions", "Decoding &Options..."),
        "Ctrl+Shift+D", QT_TRANSLATE_NOOP("Actions", "Greedy, beam search or sampling, lengths and repeats"),
        Form::Plain, nullptr, true},
    Row{.menu = "&Decode", .isOfViews = true},
    Row{ActionId::RunOrStop, "&Decode", QT_TRANSLATE_NOOP("Actions", "&Run or Stop"), "Space",
        QT_TRANSLATE_NOOP("Actions", "Decode to the end, or stop decoding"), Form::Plain, nullptr, true},
    Row{ActionId::Stop, "&Decode", QT_TRANSLATE_NOOP("Actions", "Sto&p"), "Ctrl+.",
        QT_TRANSLATE_NOOP("Actions", "Stop decoding and keep the result so far")},

    Row{ActionId::ToggleHead, "What-&If", QT_TRANSLATE_NOOP("Actions", "&Disable or Enable the Head"), "D",
        QT_TRANSLATE_NOOP("Actions", "Remove the selected head's output, or restore it")},
    Row{ActionId::ClearChanges, "What-&If", QT_TRANSLATE_NOOP("Actions", "&Clear All Changes"), "",
        QT_TRANSLATE_NOOP("Actions", "Restore the original model")},

    Row{.menu = "&Analyse", .isOfViews = true},

    Row{ActionId::ResetLayout, "&Window", QT_TRANSLATE_NOOP("Actions", "&Reset Layout"), "",
        QT_TRANSLATE_NOOP("Actions", "Restore the original panel layout")},

    Row{ActionId::CommandPalette, "&Help", QT_TRANSLATE_NOOP("Actions", "&Search..."), "Ctrl+K; Ctrl+Shift+P",
        QT_TRANSLATE_NOOP("Actions", "Find actions, heads, tokens, steps, models and pages of the manual")},
    Row{ActionId::Manual, "&Help", QT_TRANSLATE_NOOP("Actions", "&Manual"), "Ctrl+F1",
        QT_TRANSLATE_NOOP("Actions", "Read and search the manual")},
    Row{ActionId::Keys, "&Help", QT_TRANSLATE_NOOP("Actions", "&Keys and Mouse"), "F1",
        QT_TRANSLATE_NOOP("Actions", "Keyboard shortcuts and mouse actions")},
    Row{ActionId::SelfCheck, "&Help", QT_TRANSLATE_NOOP("Actions", "Self-&Check"), "",
        QT_TRANSLATE_NOOP("Actions", "Results of the self-check")},
    Row{ActionId::About, "&Help", QT_TRANSLATE_NOOP("Actions", "A&bout Headscope"), "",
        QT_TRANSLATE_NOOP("Actions", "Version, licence, and origin of the bundled model"), Form::Plain,
        nullptr, true},
};

// Marks the menu names for translation; they are looked up by the names in the table.
[[maybe_unused]] constexpr const char* menuNames[] = {
    QT_TRANSLATE_NOOP("Actions", "&File"),    QT_TRANSLATE_NOOP("Actions", "&Edit"),
    QT_TRANSLATE_NOOP("Actions", "&View"),    QT_TRANSLATE_NOOP("Actions", "&Map"),
    QT_TRANSLATE_NOOP("Actions", "&Decode"),  QT_TRANSLATE_NOOP("Actions", "What-&If"),
    QT_TRANSLATE_NOOP("Actions", "&Analyse"), QT_TRANSLATE_NOOP("Actions", "&Window"),
    QT_TRANSLATE_NOOP("Actions", "&Help")};

/// Search words that no action's name contains, separated by commas.
struct Synonyms {
    ActionId id;
    const char* words;
};
constexpr std::array synonyms{
    Synonyms{ActionId::OpenFolder, QT_TRANSLATE_NOOP("Actions", "checkpoint, recent")},
    Synonyms{ActionId::OpenFile, QT_TRANSLATE_NOOP("Actions", "checkpoint, recording")},
    Synonyms{ActionId::AskAgain, QT_TRANSLATE_NOOP("Actions", "settings, setting, preferences")},
    Synonyms{
        ActionId::SavePicture,
        QT_TRANSLATE_NOOP("Actions", "save picture, font, text size, paper, svg, pdf, png, figure, image")},
    Synonyms{ActionId::SaveData, QT_TRANSLATE_NOOP("Actions", "save data, csv, npy, spreadsheet")},
    Synonyms{ActionId::SaveTrace, QT_TRANSLATE_NOOP("Actions", "export, recording")},
    Synonyms{ActionId::ThemeSystem, QT_TRANSLATE_NOOP("Actions", "theme, dark mode, light mode")},
    Synonyms{ActionId::ThemeLight, QT_TRANSLATE_NOOP("Actions", "theme, light mode, bright")},
    Synonyms{ActionId::ThemeDark, QT_TRANSLATE_NOOP("Actions", "theme, dark mode, night")},
    Synonyms{ActionId::EarlierSnapshot, QT_TRANSLATE_NOOP("Actions", "checkpoint")},
    Synonyms{ActionId::LaterSnapshot, QT_TRANSLATE_NOOP("Actions", "checkpoint")},
    Synonyms{ActionId::ScaleLogarithmic, QT_TRANSLATE_NOOP("Actions", "log scale, weak weights")},
    Synonyms{ActionId::EditSentence, QT_TRANSLATE_NOOP("Actions", "text, type, input")},
    Synonyms{ActionId::Decode, QT_TRANSLATE_NOOP("Actions", "translate, run")},
    Synonyms{ActionId::ClearChanges, QT_TRANSLATE_NOOP("Actions", "original, restore")},
    Synonyms{ActionId::PinHead, QT_TRANSLATE_NOOP("Actions", "compare heads, side by side")},
    Synonyms{ActionId::Keys, QT_TRANSLATE_NOOP("Actions", "shortcuts, keyboard, help")},
    Synonyms{ActionId::Manual, QT_TRANSLATE_NOOP("Actions", "help, learn, glossary")},
    Synonyms{ActionId::Forward, QT_TRANSLATE_NOOP("Actions", "next token")},
    Synonyms{ActionId::NextUnsure,
             QT_TRANSLATE_NOOP("Actions",
                               "hesitation, hesitate, unsure, uncertain, least certain, second choice")},
    Synonyms{ActionId::DecodingOptions,
             QT_TRANSLATE_NOOP("Actions", "settings, setting, preferences, beam size, temperature")},
    Synonyms{ActionId::ToggleHead,
             QT_TRANSLATE_NOOP("Actions", "switch off, switch on, head off, ablate, knock out, remove")},
};

QString translated(const char* text) {
    return QCoreApplication::translate("Actions", text);
}

struct OfView {
    const widgets::ViewSpec* view;
    const widgets::ActionSpec* action;
};

/// The actions of all views in this menu, in their order.
std::vector<OfView> ofViews(const QByteArray& menu) {
    std::vector<OfView> all;
    for (const auto& view : widgets::viewSpecs())
        for (const auto& action : view.actions)
            if (action.menu == menu)
                all.push_back({&view, &action});
    std::ranges::stable_sort(all, {}, [](const OfView& each) { return each.action->order; });
    return all;
}

} // namespace

struct Actions::Words {
    const char* text;
    const char* shortcut;
    const char* summary;
    const char* synonyms;
};

Actions::Actions(QWidget* window) : QObject(window) {
    std::map<QByteArray, QActionGroup*> groups;
    for (const Row& row : rows) {
        if (row.isOfViews) {
            for (const auto& [view, each] : ofViews(row.menu))
                add(widgets::actionKey(*view, *each),
                    {each->text, each->shortcut, each->summary, each->synonyms}, window)
                    ->setCheckable(each->does == widgets::ActionSpec::Does::Show ||
                                   each->does == widgets::ActionSpec::Does::Choose);
            continue;
        }
        const auto* known = std::ranges::find(synonyms, row.id, &Synonyms::id);
        auto* action =
            add(row.id, {row.text, row.shortcut, row.tooltip, known == synonyms.end() ? "" : known->words},
                window);
        action->setCheckable(row.form != Form::Plain);
        if (row.form == Form::Choice) {
            auto*& group = groups[row.group];
            if (!group)
                group = new QActionGroup(this);
            group->addAction(action);
        }
    }
}

QAction* Actions::add(const ActionKey& key, const Words& words, QWidget* window) {
    auto* action = new QAction(translated(words.text), this);
    action->setShortcuts(
        QKeySequence::listFromString(QString::fromLatin1(words.shortcut), QKeySequence::PortableText));
    if (*words.synonyms)
        action->setProperty(synonymsProperty, translated(words.synonyms).split(QStringLiteral(", ")));
    const QString summary = translated(words.summary);
    const State state{
        .action = action, .firstText = action->text(), .summary = summary, .firstSummary = summary};
    action->setToolTip(state.tooltip());
    states_[key] = state;
    all_.push_back(action);
    window->addAction(action);
    return action;
}

void Actions::fill(QMenuBar* bar) {
    for (const Row& row : rows) {
        auto*& menu = menus_[row.menu];
        if (!menu) {
            menu = bar->addMenu(translated(row.menu));
            menu->setToolTipsVisible(true);
        }
        const auto put = [&](const ActionKey& key, bool separatorBefore) {
            if (separatorBefore)
                menu->addSeparator();
            menu->addAction((*this)[key]);
        };
        if (!row.isOfViews)
            put(row.id, row.separatorBefore);
        else
            for (const auto& [view, action] : ofViews(row.menu))
                put(widgets::actionKey(*view, *action), action->separatorBefore);
    }
}

QString Actions::State::tooltip() const {
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    return keys.isEmpty() ? summary : tr("%1 (%2)").arg(summary, keys);
}

void Actions::show(const State& state) {
    const bool enabled = state.enabled && state.withheld.isEmpty();
    state.action->setEnabled(enabled);
    state.action->setToolTip(enabled ? state.tooltip() : tr("%1\n%2").arg(state.tooltip(), state.why()));
}

QString Actions::whyNot(const QKeySequence& keys) const {
    for (const auto& [key, state] : states_)
        if (!state.action->isEnabled() && !state.why().isEmpty() && state.action->shortcuts().contains(keys))
            return tr("%1: %2").arg(state.action->text().remove('&').remove("..."), state.why());
    return {};
}

void Actions::setEnabled(const ActionKey& key, bool enabled, const QString& whyNot) {
    State& state = states_.at(key);
    state.enabled = enabled;
    state.whyNot = whyNot;
    show(state);
}

void Actions::withhold(const ActionKey& key, const QString& why) {
    State& state = states_.at(key);
    state.withheld = why;
    show(state);
}

void Actions::rename(const ActionKey& key, const QString& text, const QString& tooltip) {
    State& state = states_.at(key);
    state.summary = tooltip.isEmpty() ? state.firstSummary : tooltip;
    state.action->setText(text.isEmpty() ? state.firstText : text);
    show(state);
}

} // namespace headscope::app
