#include "widgets/views/panels.h"

#include "widgets/views/catalogue.h"

namespace headscope::widgets {

const std::vector<Panel>& panels() {
    static const std::vector<Panel> all{
#define VIEW(folder)
#define PANEL(folder) Panel{viewSpec(views::folder().key), &views::makers::folder},
#include "widgets/views/catalogue.def"
#undef VIEW
    };
    return all;
}

} // namespace headscope::widgets
