#pragma once
#include <sqlite3.h>

// Swift does not import the constant that tells SQLite to copy what is bound.
static inline int peer_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}
