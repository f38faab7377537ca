#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// Converts a session from one version to the next. New parts need no migration, as parts may be missing.
struct SessionMigration {
    int from = 0;
    void (*apply)(nlohmann::json& session) = nullptr;
};
/// All migrations in order of versions.
const std::vector<SessionMigration>& sessionMigrations();

/// Applies migrations until the session has version `newest`. Throws trace::Refusal if its version is newer
/// or never existed.
void migrate(nlohmann::json& session, const std::string& where, int newest,
             const std::vector<SessionMigration>& migrations);

} // namespace headscope::app
