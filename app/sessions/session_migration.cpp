#include "app/sessions/session_migration.h"

#include "model/files/limited_json.h"
#include "model/trace/refusal.h"

namespace headscope::app {

const std::vector<SessionMigration>& sessionMigrations() {
    static const std::vector<SessionMigration> none; // there is only one version
    return none;
}

void migrate(nlohmann::json& session, const std::string& where, int newest,
             const std::vector<SessionMigration>& migrations) {
    const auto version = files::integerAt(session, "version", where);
    if (version > newest)
        throw trace::Refusal({.what = "This session was written by a newer Headscope",
                              .where = where + ", \"version\"",
                              .expected = "version " + std::to_string(newest) + " or older",
                              .found = "version " + std::to_string(version),
                              .wayOut = "open it with the newer program, or save it there anew"});
    if (version < 1)
        throw trace::Refusal({.what = "No session has such a version",
                              .where = where + ", \"version\"",
                              .expected = "1 to " + std::to_string(newest),
                              .found = std::to_string(version),
                              .wayOut = "correct it"});
    for (const auto& migration : migrations)
        if (migration.from >= version)
            migration.apply(session);
}

} // namespace headscope::app
