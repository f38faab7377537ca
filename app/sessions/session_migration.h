#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace headscope::app {

/// Makes a session of one version one of the next. Parts that only came to be need none: they may be missing.
struct SessionMigration {
    int from = 0;
    void (*apply)(nlohmann::json& session) = nullptr;
};
/// In the order of their versions.
const std::vector<SessionMigration>& sessionMigrations();

/// A session of `version`, by one migration after the other. Throws trace::Refusal for one that is newer than
/// `newest`, or that no version ever had.
void migrate(nlohmann::json& session, const std::string& where, int newest,
             const std::vector<SessionMigration>& migrations);

} // namespace headscope::app
