#include "app/desktop/actions.h"

#include "widgets/views/places.h"

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

/// What a row stands for: an action of the window, those of widgets::workspaces(), those that views bring
/// with them, or the menu of models.
enum class Of { Window, Workspaces, Views, Models };

struct Row {
    ActionId id = {};
    const char* menu; ///< a menu within another is behind a slash
    const char* text = "";
    const char* shortcut = ""; ///< as that of widgets::ActionSpec
    const char* tooltip = "";
    Form form = Form::Plain;
    const char* group = nullptr; ///< choices of a group exclude each other
    bool separatorBefore = false;
    Of of = Of::Window;
};

// Shortcuts without Ctrl or Alt work only if no field, button, list or map has the focus (ShortcutRules).
constexpr std::array rows{
    Row{ActionId::Home, "&File", QT_TRANSLATE_NOOP("Actions", "&Home"), "Ctrl+1",
        QT_TRANSLATE_NOOP("Actions", "Bundled and recent models")},
    Row{ActionId::OpenFolder, "&File", QT_TRANSLATE_NOOP("Actions", "&Open Model Folder..."), "Ctrl+O",
        QT_TRANSLATE_NOOP("Actions", "Open a folder with weights, configuration and tokenizer")},
    Row{ActionId::OpenFile, "&File", QT_TRANSLATE_NOOP("Actions", "Open &Weights File or Recording..."),
        "Ctrl+Shift+O",
        QT_TRANSLATE_NOOP("Actions", "Open a .safetensors, PyTorch or GGUF file, or a recording")},
    Row{.menu = "&File", .of = Of::Models},
    Row{ActionId::AskAgain, "&File", QT_TRANSLATE_NOOP("Actions", "Model Settin&gs..."), "",
        QT_TRANSLATE_NOOP("Actions", "Discard the settings given for this model and open it again")},
    Row{ActionId::SplitByPattern, "&File", QT_TRANSLATE_NOOP("Actions", "Split Te&xt by a Pattern..."), "",
        QT_TRANSLATE_NOOP("Actions", "Choose a regular expression whose matches are the model's tokens")},
    Row{ActionId::OpenSession, "&File", QT_TRANSLATE_NOOP("Actions", "Op&en Session..."), "Ctrl+Alt+O",
        QT_TRANSLATE_NOOP("Actions", "Restore model, sentence, changes and views from a session file"),
        Form::Plain, nullptr, true},
    Row{ActionId::SaveSession, "&File", QT_TRANSLATE_NOOP("Actions", "&Save Session"), "Ctrl+S",
        QT_TRANSLATE_NOOP("Actions", "Save model name, sentence, changes and views, but not the weights")},
    Row{ActionId::SaveSessionAs, "&File", QT_TRANSLATE_NOOP("Actions", "Save Session &As..."), "Ctrl+Shift+S",
        QT_TRANSLATE_NOOP("Actions", "Save the session under another name")},
    Row{ActionId::Train, "&File", QT_TRANSLATE_NOOP("Actions", "&Train a Model"), "Ctrl+7; Ctrl+Shift+N",
        QT_TRANSLATE_NOOP("Actions", "Train a model on sentences of your own, or on a toy task"), Form::Plain,
        nullptr, true},
    Row{ActionId::SavePicture, "&File", QT_TRANSLATE_NOOP("Actions", "Export &Picture..."), "Ctrl+E",
        QT_TRANSLATE_NOOP("Actions", "Export the front view as PNG, SVG or PDF"), Form::Plain, nullptr, true},
    Row{ActionId::SaveData, "&File", QT_TRANSLATE_NOOP("Actions", "Export &Data..."), "Ctrl+Shift+E",
        QT_TRANSLATE_NOOP("Actions",
                          "Export the numbers behind the front view for spreadsheets and programs")},
    Row{.menu = "&File", .of = Of::Views},
    Row{ActionId::SaveTrace, "&File", QT_TRANSLATE_NOOP("Actions", "Export &Recording..."), "Ctrl+Alt+T",
        QT_TRANSLATE_NOOP("Actions",
                          "Export all numbers of this run; the recording opens without the model")},
    Row{ActionId::Preferences, "&File", QT_TRANSLATE_NOOP("Actions", "Pre&ferences..."), "Ctrl+,",
        QT_TRANSLATE_NOOP("Actions", "Settings that Headscope remembers"), Form::Plain, nullptr, true},
    Row{ActionId::Quit, "&File", QT_TRANSLATE_NOOP("Actions", "&Quit"), "Ctrl+Q",
        QT_TRANSLATE_NOOP("Actions", "Close the window")},
    Row{ActionId::Undo, "&Edit", QT_TRANSLATE_NOOP("Actions", "&Undo"), "Ctrl+Z",
        QT_TRANSLATE_NOOP("Actions", "Undo the last change of the experiment")},
    Row{ActionId::Redo, "&Edit", QT_TRANSLATE_NOOP("Actions", "&Redo"), "Ctrl+Shift+Z; Ctrl+Y",
        QT_TRANSLATE_NOOP("Actions", "Redo the last undone change")},
    Row{ActionId::EditSentence, "&Edit", QT_TRANSLATE_NOOP("Actions", "Edit the &Sentence"), "Ctrl+L",
        QT_TRANSLATE_NOOP("Actions", "Go to the sentence field"), Form::Plain, nullptr, true},
    Row{ActionId::Find, "&Edit", QT_TRANSLATE_NOOP("Actions", "&Find Token or Head..."), "Ctrl+F",
        QT_TRANSLATE_NOOP("Actions", "Go to a token in the sentence or to a head")},
    Row{ActionId::CopyPicture, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy &Picture"), "Ctrl+Shift+C",
        QT_TRANSLATE_NOOP("Actions", "Copy the front view as a picture"), Form::Plain, nullptr, true},
    Row{ActionId::CopyTable, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy Num&bers"), "Ctrl+Alt+C",
        QT_TRANSLATE_NOOP("Actions", "Copy the numbers behind the front view as a table for spreadsheets")},
    Row{ActionId::CopyTranslation, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy &Translation"), "Ctrl+Shift+T",
        QT_TRANSLATE_NOOP("Actions", "Copy the decoded text")},
    Row{ActionId::CopyCell, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy the Cell's &Value"), "Ctrl+Shift+V",
        QT_TRANSLATE_NOOP("Actions", "Copy the description of the cell from the status bar")},
    Row{ActionId::CopyCommand, "&Edit", QT_TRANSLATE_NOOP("Actions", "Copy C&ommand"), "Ctrl+Shift+X",
        QT_TRANSLATE_NOOP("Actions",
                          "Copy the headscope-cli command that reproduces the front view or its numbers")},
    Row{ActionId::Unpin, "&Edit", QT_TRANSLATE_NOOP("Actions", "U&npin"), "Esc",
        QT_TRANSLATE_NOOP("Actions", "Release the pinned cell or token"), Form::Plain, nullptr, true},
    Row{.menu = "&View", .of = Of::Workspaces},
    Row{.menu = "&View/&Canvas", .separatorBefore = true, .of = Of::Views},
    Row{ActionId::ShowWeights, "&View/&Quantity", QT_TRANSLATE_NOOP("Actions", "&Weights"), "Ctrl+Alt+E",
        QT_TRANSLATE_NOOP("Actions", "After mask and softmax; each row sums to 1"), Form::Choice, "show"},
    Row{ActionId::ShowScores, "&View/&Quantity", QT_TRANSLATE_NOOP("Actions", "&Scores"), "Ctrl+Shift+W",
        QT_TRANSLATE_NOOP("Actions", "Scaled dot products of queries and keys, before the mask"),
        Form::Choice, "show"},
    Row{ActionId::ShowOpenScores, "&View/&Quantity", QT_TRANSLATE_NOOP("Actions", "Scores &after the Mask"),
        "", QT_TRANSLATE_NOOP("Actions", "Input to the softmax; masked cells are hatched"), Form::Choice,
        "show"},
    Row{ActionId::ShowNormWeighted, "&View/&Quantity",
        QT_TRANSLATE_NOOP("Actions", "&Norm-Weighted Attention"), "Ctrl+Alt+N",
        QT_TRANSLATE_NOOP("Actions",
                          "Norm of the vector that the head adds for each key (Kobayashi et al. 2020)"),
        Form::Choice, "show"},
    Row{ActionId::ShowNormShares, "&View/&Quantity",
        QT_TRANSLATE_NOOP("Actions", "Norm-Weighted, S&hares of the Row"), "",
        QT_TRANSLATE_NOOP("Actions", "Each row divided by its sum"), Form::Choice, "show"},
    Row{ActionId::ShowRollout, "&View/&Quantity", QT_TRANSLATE_NOOP("Actions", "&Roll-Out of All Heads"),
        "Ctrl+Alt+R",
        QT_TRANSLATE_NOOP("Actions", "Weights multiplied through all layers up to this one, counting the "
                                     "residual connection as half of each sublayer (Abnar and Zuidema 2020)"),
        Form::Choice, "show"},
    Row{ActionId::ShowContributions, "&View/&Quantity", QT_TRANSLATE_NOOP("Actions", "A&LTI+ of All Heads"),
        "Ctrl+Alt+A",
        QT_TRANSLATE_NOOP(
            "Actions",
            "Contribution of each token through all heads and layers up to this one (Ferrando et al. 2022)"),
        Form::Choice, "show"},
    Row{ActionId::ShowGradient, "&View/&Quantity", QT_TRANSLATE_NOOP("Actions", "&Gradient Times Attention"),
        "Ctrl+Alt+G",
        QT_TRANSLATE_NOOP("Actions", "Effect of a larger weight on the logit of the current step's token"),
        Form::Choice, "show"},
    Row{ActionId::ScaleLinear, "&View/Colour &Scale", QT_TRANSLATE_NOOP("Actions", "L&inear Colours"),
        "Ctrl+G", QT_TRANSLATE_NOOP("Actions", "Colour is proportional to the value"), Form::Choice,
        "colours"},
    Row{ActionId::ScaleLogarithmic, "&View/Colour &Scale",
        QT_TRANSLATE_NOOP("Actions", "Logarithmi&c Colours"), "Ctrl+Shift+G",
        QT_TRANSLATE_NOOP("Actions",
                          "Colour follows the logarithm of the value: small weights become visible"),
        Form::Choice, "colours"},
    Row{ActionId::ScaleRank, "&View/Colour &Scale", QT_TRANSLATE_NOOP("Actions", "Colours by Ran&k"), "",
        QT_TRANSLATE_NOOP("Actions", "Colour follows the rank of the value, not its size"), Form::Choice,
        "colours"},
#define MAP_FLAG(MEMBER, ACTION, NAME, MENU, SHORTCUT, SEPARATED, TIP, HELP)                                 \
    Row{ActionId::ACTION, "&View/&Display", MENU, SHORTCUT, TIP, Form::Checkable, nullptr, SEPARATED},
#include "widgets/map_flags.def"
#undef MAP_FLAG
    Row{ActionId::SpaceMarks, "&View/&Display", QT_TRANSLATE_NOOP("Actions", "Space Marks in T&okens"),
        "Ctrl+M", QT_TRANSLATE_NOOP("Actions", "Mark where a token begins a word"), Form::Checkable, nullptr,
        true},
    Row{ActionId::KindEncoder, "&View/&Head", QT_TRANSLATE_NOOP("Actions", "&Encoder"), "1",
        QT_TRANSLATE_NOOP("Actions", "Self-attention of the encoder"), Form::Choice, "kind"},
    Row{ActionId::KindDecoder, "&View/&Head", QT_TRANSLATE_NOOP("Actions", "&Decoder"), "2",
        QT_TRANSLATE_NOOP("Actions", "Masked self-attention of the decoder"), Form::Choice, "kind"},
    Row{ActionId::KindCross, "&View/&Head", QT_TRANSLATE_NOOP("Actions", "Cro&ss"), "3",
        QT_TRANSLATE_NOOP("Actions", "Attention of the decoder to the source"), Form::Choice, "kind"},
    Row{ActionId::PreviousHead, "&View/&Head", QT_TRANSLATE_NOOP("Actions", "&Previous Head"), "Up; Shift+Up",
        QT_TRANSLATE_NOOP("Actions", "The previous head in this layer"), Form::Plain, nullptr, true},
    Row{ActionId::NextHead, "&View/&Head", QT_TRANSLATE_NOOP("Actions", "&Next Head"), "Down; Shift+Down",
        QT_TRANSLATE_NOOP("Actions", "The next head in this layer")},
    Row{ActionId::PreviousLayer, "&View/&Head", QT_TRANSLATE_NOOP("Actions", "Previous &Layer"),
        "PgUp; [; Shift+Left", QT_TRANSLATE_NOOP("Actions", "The same head in the previous layer")},
    Row{ActionId::NextLayer, "&View/&Head", QT_TRANSLATE_NOOP("Actions", "Next La&yer"),
        "PgDown; ]; Shift+Right", QT_TRANSLATE_NOOP("Actions", "The same head in the next layer")},
    Row{ActionId::PinHead, "&View/&Head", QT_TRANSLATE_NOOP("Actions", "P&in or Unpin the Head"), "P",
        QT_TRANSLATE_NOOP("Actions", "Keep the selected head in its own panel; at most four heads"),
        Form::Plain, nullptr, true},
    Row{ActionId::UnpinHeads, "&View/&Head", QT_TRANSLATE_NOOP("Actions", "&Unpin All Heads"), "",
        QT_TRANSLATE_NOOP("Actions", "Show only the selected head")},
    Row{ActionId::EarlierSnapshot, "&View/T&raining", QT_TRANSLATE_NOOP("Actions", "&Earlier in Training"),
        ",", QT_TRANSLATE_NOOP("Actions", "Show the previous snapshot of the model")},
    Row{ActionId::LaterSnapshot, "&View/T&raining", QT_TRANSLATE_NOOP("Actions", "&Later in Training"), ".",
        QT_TRANSLATE_NOOP("Actions", "Show the next snapshot of the model")},
    Row{ActionId::PlaySnapshots, "&View/T&raining", QT_TRANSLATE_NOOP("Actions", "&Play the Training"), "",
        QT_TRANSLATE_NOOP("Actions",
                          "Show the snapshots one after another; after the last one, start again")},
    Row{ActionId::FitMap, "&View", QT_TRANSLATE_NOOP("Actions", "&Fit the Map"), "Ctrl+0; 0",
        QT_TRANSLATE_NOOP("Actions", "Show the whole map"), Form::Plain, nullptr, true},
    Row{ActionId::ZoomIn, "&View", QT_TRANSLATE_NOOP("Actions", "Zoom &In"), "+; =; Ctrl++; Ctrl+=",
        QT_TRANSLATE_NOOP("Actions", "Zoom in on the focused or visible map, around its cell or centre")},
    Row{ActionId::ZoomOut, "&View", QT_TRANSLATE_NOOP("Actions", "Zoom &Out"), "-; Ctrl+-",
        QT_TRANSLATE_NOOP("Actions", "Zoom out of the focused or visible map")},
    Row{ActionId::Maximise, "&View", QT_TRANSLATE_NOOP("Actions", "&Maximise the Canvas"), "F",
        QT_TRANSLATE_NOOP("Actions", "Hide or show the panel, cards and drawer"), Form::Checkable},
    Row{ActionId::GoBack, "&View", QT_TRANSLATE_NOOP("Actions", "&Back to the Previous View"), "Alt+Left",
        QT_TRANSLATE_NOOP("Actions", "Show the previous view on the canvas")},
    Row{ActionId::CloseDrawer, "&View/&Panels", QT_TRANSLATE_NOOP("Actions", "&Close the Drawer"), "Ctrl+W",
        QT_TRANSLATE_NOOP("Actions", "Close the open page below the canvas"), Form::Plain, nullptr, true},
    Row{ActionId::ThemeSystem, "&View/&Theme", QT_TRANSLATE_NOOP("Actions", "Colours of the S&ystem"), "",
        QT_TRANSLATE_NOOP("Actions", "Follow the desktop's light or dark theme"), Form::Choice, "theme"},
    Row{ActionId::ThemeLight, "&View/&Theme", QT_TRANSLATE_NOOP("Actions", "&Light"), "",
        QT_TRANSLATE_NOOP("Actions", "Always light"), Form::Choice, "theme"},
    Row{ActionId::ThemeDark, "&View/&Theme", QT_TRANSLATE_NOOP("Actions", "&Dark"), "",
        QT_TRANSLATE_NOOP("Actions", "Always dark"), Form::Choice, "theme"},
    Row{ActionId::Text90, "&View/Text Si&ze", QT_TRANSLATE_NOOP("Actions", "&90 %"), "",
        QT_TRANSLATE_NOOP("Actions", "Show text at 90 % of the system text size"), Form::Choice, "text"},
    Row{ActionId::Text100, "&View/Text Si&ze", QT_TRANSLATE_NOOP("Actions", "&100 %"), "",
        QT_TRANSLATE_NOOP("Actions", "Show text at 100 % of the system text size"), Form::Choice, "text"},
    Row{ActionId::Text115, "&View/Text Si&ze", QT_TRANSLATE_NOOP("Actions", "11&5 %"), "",
        QT_TRANSLATE_NOOP("Actions", "Show text at 115 % of the system text size"), Form::Choice, "text"},
    Row{ActionId::Text130, "&View/Text Si&ze", QT_TRANSLATE_NOOP("Actions", "1&30 %"), "",
        QT_TRANSLATE_NOOP("Actions", "Show text at 130 % of the system text size"), Form::Choice, "text"},
    Row{ActionId::Text150, "&View/Text Si&ze", QT_TRANSLATE_NOOP("Actions", "15&0 %"), "",
        QT_TRANSLATE_NOOP("Actions", "Show text at 150 % of the system text size"), Form::Choice, "text"},
    Row{ActionId::Decode, "&Run", QT_TRANSLATE_NOOP("Actions", "Tra&nslate"), "Ctrl+Return",
        QT_TRANSLATE_NOOP("Actions", "Translate the sentence from its start")},
    Row{ActionId::ToStart, "&Run", QT_TRANSLATE_NOOP("Actions", "To the S&tart"), "Home",
        QT_TRANSLATE_NOOP("Actions", "Go to the first step"), Form::Plain, nullptr, true},
    Row{ActionId::Back, "&Run", QT_TRANSLATE_NOOP("Actions", "&Back"), "Left",
        QT_TRANSLATE_NOOP("Actions", "Go one step back")},
    Row{ActionId::Forward, "&Run", QT_TRANSLATE_NOOP("Actions", "&Forward"), "Right",
        QT_TRANSLATE_NOOP("Actions", "Go one step forward; at the end, decode one more token")},
    Row{ActionId::ToEnd, "&Run", QT_TRANSLATE_NOOP("Actions", "To the &End"), "End",
        QT_TRANSLATE_NOOP("Actions", "Decode the remaining tokens and go to the last step")},
    Row{ActionId::RunTo, "&Run", QT_TRANSLATE_NOOP("Actions", "Run &Until..."), "Ctrl+R",
        QT_TRANSLATE_NOOP("Actions", "Decode until the output contains a given word or the model is unsure")},
    Row{ActionId::NextUnsure, "&Run", QT_TRANSLATE_NOOP("Actions", "Ne&xt Unsure Token"), "U",
        QT_TRANSLATE_NOOP(
            "Actions", "Go to the next token chosen with low probability; after the last one, start again")},
    Row{ActionId::StepByStep, "&Run", QT_TRANSLATE_NOOP("Actions", "Step b&y Step"), "Ctrl+T",
        QT_TRANSLATE_NOOP("Actions", "Decode one token for each step forward"), Form::Checkable},
    Row{ActionId::Play, "&Run", QT_TRANSLATE_NOOP("Actions", "&Play or Pause"), "Space",
        QT_TRANSLATE_NOOP("Actions", "Play the steps one after another; while decoding runs, stop it")},
    Row{ActionId::Stop, "&Run", QT_TRANSLATE_NOOP("Actions", "&Stop"), "Ctrl+.",
        QT_TRANSLATE_NOOP("Actions", "Stop decoding and keep the result so far")},
    Row{ActionId::DecodingOptions, "&Run", QT_TRANSLATE_NOOP("Actions", "Decoding &Options..."),
        "Ctrl+Shift+D",
        QT_TRANSLATE_NOOP("Actions", "Greedy, beam search or sampling; length limits and repetition"),
        Form::Plain, nullptr, true},
    Row{.menu = "&Run", .of = Of::Views},
    Row{ActionId::ToggleHead, "&Run", QT_TRANSLATE_NOOP("Actions", "Switch the &Head Off or On"), "D",
        QT_TRANSLATE_NOOP("Actions", "Remove the selected head's output, or restore it"), Form::Plain,
        nullptr, true},
    Row{ActionId::ClearChanges, "&Run", QT_TRANSLATE_NOOP("Actions", "C&lear All Changes"), "",
        QT_TRANSLATE_NOOP("Actions", "Restore the original model")},
    Row{.menu = "&Analyse", .of = Of::Views},
    Row{ActionId::NextRegion, "&Window", QT_TRANSLATE_NOOP("Actions", "&Next Region"), "F6",
        QT_TRANSLATE_NOOP(
            "Actions",
            "Move the keyboard focus to the next part of the window: tokens, panel, canvas, cards, drawer")},
    Row{ActionId::PreviousRegion, "&Window", QT_TRANSLATE_NOOP("Actions", "&Previous Region"), "Shift+F6",
        QT_TRANSLATE_NOOP("Actions", "Move the keyboard focus to the previous part of the window")},
    Row{ActionId::ResetLayout, "&Window", QT_TRANSLATE_NOOP("Actions", "&Reset Layout"), "",
        QT_TRANSLATE_NOOP("Actions", "Restore the original panel layout"), Form::Plain, nullptr, true},
    Row{ActionId::CommandPalette, "&Help", QT_TRANSLATE_NOOP("Actions", "&Search..."), "Ctrl+K; Ctrl+Shift+P",
        QT_TRANSLATE_NOOP("Actions", "Find actions, heads, tokens, steps, models and pages of the manual")},
    Row{ActionId::Tour, "&Help", QT_TRANSLATE_NOOP("Actions", "&Tour"), "",
        QT_TRANSLATE_NOOP("Actions", "Learn this window in six steps, with the open model")},
    Row{ActionId::Learn, "&Help", QT_TRANSLATE_NOOP("Actions", "&Learn"), "F1; Ctrl+F1",
        QT_TRANSLATE_NOOP("Actions", "Tour, manual, glossary and keyboard shortcuts")},
    Row{ActionId::Keys, "&Help", QT_TRANSLATE_NOOP("Actions", "&Keyboard Shortcuts"), "?",
        QT_TRANSLATE_NOOP("Actions", "Search keyboard shortcuts and mouse actions")},
    Row{ActionId::Glossary, "&Help", QT_TRANSLATE_NOOP("Actions", "&Glossary"), "",
        QT_TRANSLATE_NOOP("Actions", "What the terms in the window mean")},
    Row{ActionId::SelfCheck, "&Help", QT_TRANSLATE_NOOP("Actions", "&Check the Numbers"), "",
        QT_TRANSLATE_NOOP("Actions", "Show the results of the self-check")},
    Row{ActionId::About, "&Help", QT_TRANSLATE_NOOP("Actions", "A&bout Headscope"), "",
        QT_TRANSLATE_NOOP("Actions", "Version, licence, and origin of the bundled model"), Form::Plain,
        nullptr, true},
};

// Marks the menu names for translation; they are looked up by the names in the table.
[[maybe_unused]] constexpr const char* menuNames[] = {
    QT_TRANSLATE_NOOP("Actions", "&File"),     QT_TRANSLATE_NOOP("Actions", "&Edit"),
    QT_TRANSLATE_NOOP("Actions", "&View"),     QT_TRANSLATE_NOOP("Actions", "&Canvas"),
    QT_TRANSLATE_NOOP("Actions", "&Quantity"), QT_TRANSLATE_NOOP("Actions", "Colour &Scale"),
    QT_TRANSLATE_NOOP("Actions", "&Display"),  QT_TRANSLATE_NOOP("Actions", "&Head"),
    QT_TRANSLATE_NOOP("Actions", "T&raining"), QT_TRANSLATE_NOOP("Actions", "&Panels"),
    QT_TRANSLATE_NOOP("Actions", "&Theme"),    QT_TRANSLATE_NOOP("Actions", "Text Si&ze"),
    QT_TRANSLATE_NOOP("Actions", "&Run"),      QT_TRANSLATE_NOOP("Actions", "&Analyse"),
    QT_TRANSLATE_NOOP("Actions", "&Window"),   QT_TRANSLATE_NOOP("Actions", "&Help")};

/// Keys and names in the previous version, separated by "; ": the keys, then the names.
struct Former {
    ActionId id;
    const char* keys;
    const char* names = "";
};
constexpr std::array formers{
    Former{ActionId::OpenFile, "", QT_TRANSLATE_NOOP("Actions", "Open Weights File or Trace")},
    Former{ActionId::SaveSession, "Ctrl+E"},
    Former{ActionId::SaveSessionAs, "Ctrl+Shift+E"},
    Former{ActionId::Train, "Ctrl+Shift+N", QT_TRANSLATE_NOOP("Actions", "Train")},
    Former{ActionId::SaveTrace, "", QT_TRANSLATE_NOOP("Actions", "Save Trace")},
    Former{ActionId::SavePicture, "Ctrl+S"},
    Former{ActionId::SaveData, "Ctrl+Shift+S"},
    Former{ActionId::CopyTable, "", QT_TRANSLATE_NOOP("Actions", "Copy as Table")},
    Former{ActionId::CopyCommand, "", QT_TRANSLATE_NOOP("Actions", "Copy as Command")},
    Former{ActionId::ShowWeights, "Ctrl+W"},
    Former{ActionId::Decode, "", QT_TRANSLATE_NOOP("Actions", "Decode")},
    Former{ActionId::Play, "", QT_TRANSLATE_NOOP("Actions", "Run or Stop")},
    Former{ActionId::ToggleHead, "", QT_TRANSLATE_NOOP("Actions", "Disable or Enable the Head")},
    Former{ActionId::Learn, "Ctrl+F1", QT_TRANSLATE_NOOP("Actions", "Manual")},
    Former{ActionId::Keys, "F1", QT_TRANSLATE_NOOP("Actions", "Keys and Mouse")},
    Former{ActionId::SelfCheck, "", QT_TRANSLATE_NOOP("Actions", "Self-Check")},
};

/// Search words that no action's name contains, separated by commas.
struct Synonyms {
    ActionId id;
    const char* words;
};
constexpr std::array synonyms{
    Synonyms{ActionId::OpenFolder, QT_TRANSLATE_NOOP("Actions", "checkpoint, recent")},
    Synonyms{ActionId::OpenFile, QT_TRANSLATE_NOOP("Actions", "checkpoint, recording")},
    Synonyms{ActionId::AskAgain, QT_TRANSLATE_NOOP("Actions", "settings")},
    Synonyms{
        ActionId::SplitByPattern,
        QT_TRANSLATE_NOOP("Actions", "tokenizer, tokens, regular expression, regex, characters, unknown")},
    Synonyms{ActionId::Preferences, QT_TRANSLATE_NOOP("Actions", "settings, setting, options, configure")},
    Synonyms{ActionId::Home, QT_TRANSLATE_NOOP("Actions", "start, models, recent")},
    Synonyms{ActionId::Maximise, QT_TRANSLATE_NOOP("Actions", "full screen, enlarge")},
    Synonyms{ActionId::Play, QT_TRANSLATE_NOOP("Actions", "animate")},
    Synonyms{ActionId::SelfCheck, QT_TRANSLATE_NOOP("Actions", "verified")},
    Synonyms{ActionId::Glossary, QT_TRANSLATE_NOOP("Actions", "terms, words, meaning")},
    Synonyms{
        ActionId::SavePicture,
        QT_TRANSLATE_NOOP("Actions", "save picture, font, text size, paper, svg, pdf, png, figure, image")},
    Synonyms{ActionId::SaveData, QT_TRANSLATE_NOOP("Actions", "save data, csv, npy, spreadsheet")},
    Synonyms{ActionId::SaveTrace, QT_TRANSLATE_NOOP("Actions", "export, recording")},
    Synonyms{ActionId::ThemeSystem, QT_TRANSLATE_NOOP("Actions", "theme, dark mode, light mode")},
    Synonyms{ActionId::ThemeLight, QT_TRANSLATE_NOOP("Actions", "theme, light mode, bright")},
    Synonyms{ActionId::ThemeDark, QT_TRANSLATE_NOOP("Actions", "theme, dark mode, night")},
    Synonyms{ActionId::Text150, QT_TRANSLATE_NOOP("Actions", "font, text size, larger text")},
    Synonyms{ActionId::Text130, QT_TRANSLATE_NOOP("Actions", "font, text size, larger text")},
    Synonyms{ActionId::Text90, QT_TRANSLATE_NOOP("Actions", "font, text size, smaller text")},
    Synonyms{ActionId::EarlierSnapshot, QT_TRANSLATE_NOOP("Actions", "checkpoint")},
    Synonyms{ActionId::LaterSnapshot, QT_TRANSLATE_NOOP("Actions", "checkpoint")},
    Synonyms{ActionId::ScaleLogarithmic, QT_TRANSLATE_NOOP("Actions", "log scale, weak weights")},
    Synonyms{ActionId::EditSentence, QT_TRANSLATE_NOOP("Actions", "text, type, input")},
    Synonyms{ActionId::Decode,
             QT_TRANSLATE_NOOP("Actions", "decode, translate, continue, predict, classify, encode, run")},
    Synonyms{ActionId::ClearChanges, QT_TRANSLATE_NOOP("Actions", "original, restore")},
    Synonyms{ActionId::PinHead, QT_TRANSLATE_NOOP("Actions", "compare heads, side by side")},
    Synonyms{ActionId::Keys, QT_TRANSLATE_NOOP("Actions", "shortcuts, keyboard, help")},
    Synonyms{ActionId::Learn, QT_TRANSLATE_NOOP("Actions", "help, manual, read, glossary")},
    Synonyms{ActionId::Tour, QT_TRANSLATE_NOOP("Actions", "help, introduction, lesson, begin, tutorial")},
    Synonyms{ActionId::Forward, QT_TRANSLATE_NOOP("Actions", "next token")},
    Synonyms{ActionId::NextUnsure,
             QT_TRANSLATE_NOOP("Actions",
                               "hesitation, hesitate, unsure, uncertain, least certain, second choice")},
    Synonyms{ActionId::DecodingOptions,
             QT_TRANSLATE_NOOP("Actions", "settings, setting, beam size, temperature")},
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

QStringList splitAt(const QString& text, const char* separator) {
    return text.split(QString::fromLatin1(separator), Qt::SkipEmptyParts);
}

QList<QKeySequence> sequencesIn(const QString& text) {
    auto all = QKeySequence::listFromString(text, QKeySequence::PortableText);
    all.removeAll(QKeySequence());
    return all;
}

/// Keys of the actions that a row stands for; of the menu of models none.
std::vector<ActionKey> actionKeysOf(const Row& row) {
    std::vector<ActionKey> keys;
    if (row.of == Of::Window)
        keys.emplace_back(row.id);
    if (row.of == Of::Workspaces)
        for (const auto& workspace : widgets::workspaces())
            keys.emplace_back(workspaceAction(workspace.key));
    if (row.of == Of::Views)
        for (const auto& [view, action] : ofViews(row.menu))
            keys.emplace_back(widgets::actionKey(*view, *action));
    return keys;
}

} // namespace

std::string workspaceAction(const std::string& workspace) {
    return "workspace." + workspace;
}

struct Actions::Words {
    QString text;
    QString shortcut;
    QString summary;
    QString synonyms;
    QString formerKeys;
    QString formerNames;
};

Actions::Actions(QWidget* window) : QObject(window) {
    for (const Row& row : rows) {
        if (row.of == Of::Window) {
            const auto* known = std::ranges::find(synonyms, row.id, &Synonyms::id);
            const auto* former = std::ranges::find(formers, row.id, &Former::id);
            const bool wasOther = former != formers.end();
            add(row.id,
                {translated(row.text), row.shortcut, translated(row.tooltip),
                 known == synonyms.end() ? QString() : translated(known->words), wasOther ? former->keys : "",
                 wasOther ? translated(former->names) : QString()},
                window)
                ->setCheckable(row.form == Form::Checkable);
            if (row.form == Form::Choice)
                join(row.id, row.group);
        } else if (row.of == Of::Workspaces) {
            addWorkspaces(window);
        } else if (row.of == Of::Views) {
            for (const auto& [view, each] : ofViews(row.menu))
                add(widgets::actionKey(*view, *each),
                    {translated(each->text), each->shortcut, translated(each->summary),
                     translated(each->synonyms), each->formerKeys, translated(each->formerNames)},
                    window)
                    ->setCheckable(each->does == widgets::ActionSpec::Does::Show ||
                                   each->does == widgets::ActionSpec::Does::Choose);
        }
    }
    for (const auto id : {ActionId::Home, ActionId::Train}) // one of them or of the workspaces is seen
        join(id, "workspace");
}

void Actions::join(const ActionKey& key, const QByteArray& group) {
    auto*& known = groups_[group];
    if (!known)
        known = new QActionGroup(this);
    (*this)[key]->setCheckable(true);
    known->addAction((*this)[key]);
}

/// Their keys are in the order of the rail, after that of Home.
void Actions::addWorkspaces(QWidget* window) {
    int number = 1;
    for (const auto& workspace : widgets::workspaces()) {
        const QString keys = QStringLiteral("Ctrl+%1; %2").arg(++number).arg(workspace.shortcut);
        add(workspaceAction(workspace.key),
            {QCoreApplication::translate("Workspace", workspace.title),
             keys,
             QCoreApplication::translate("Workspace", workspace.question),
             {},
             workspace.formerKeys,
             {}},
            window);
        join(workspaceAction(workspace.key), "workspace");
    }
}

QAction* Actions::add(const ActionKey& key, const Words& words, QWidget* window) {
    auto* action = new QAction(words.text, this);
    action->setShortcuts(sequencesIn(words.shortcut));
    action->setProperty(synonymsProperty, splitAt(words.synonyms, ", "));
    QStringList former = splitAt(words.formerNames, "; ");
    for (const auto& keys : sequencesIn(words.formerKeys)) {
        former += keys.toString(QKeySequence::NativeText);
        former_[keys] = action;
    }
    action->setProperty(formerProperty, former);
    const State state{.action = action,
                      .firstText = action->text(),
                      .summary = words.summary,
                      .firstSummary = words.summary};
    action->setToolTip(state.tooltip());
    states_[key] = state;
    all_.push_back(action);
    window->addAction(action);
    return action;
}

void Actions::fill(QMenuBar* bar, QMenu* models) {
    for (const Row& row : rows) {
        QMenu* menu = addMenu(bar, row.menu, row.separatorBefore);
        if (row.of == Of::Models)
            menu->addMenu(models);
        for (const auto& key : actionKeysOf(row))
            menu->addAction((*this)[key]);
    }
}

QMenu* Actions::addMenu(QMenuBar* bar, const QByteArray& path, bool separatorBefore) {
    const auto within = path.lastIndexOf('/');
    if (auto* known = menus_[path]) {
        if (separatorBefore)
            known->addSeparator();
        return known;
    }
    const QString title = translated(path.mid(within + 1));
    auto* menu =
        within < 0 ? bar->addMenu(title) : addMenu(bar, path.left(within), separatorBefore)->addMenu(title);
    menu->setToolTipsVisible(true);
    return menus_[path] = menu;
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
