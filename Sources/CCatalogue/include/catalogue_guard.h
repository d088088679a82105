#pragma once

// A variadic SQLite call, which Swift cannot make.

#include <sqlite3.h>

/// Prevents statements from writing SQLite's internal tables or the schema itself
/// (SQLITE_DBCONFIG_DEFENSIVE). Returns 0 or SQLite's error code.
static inline int catalogue_be_defensive(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
