#ifndef WB_CSQLITE_SHIM_H
#define WB_CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast macro, which Swift does not import: SQLite copies the bytes before the call returns.
static inline int wb_sqlite3_bind_text_transient(sqlite3_stmt *statement, int index, const char *text, int byteCount) {
    return sqlite3_bind_text(statement, index, text, byteCount, SQLITE_TRANSIENT);
}

static inline int wb_sqlite3_bind_blob_transient(sqlite3_stmt *statement, int index, const void *bytes, int byteCount) {
    return sqlite3_bind_blob(statement, index, bytes, byteCount, SQLITE_TRANSIENT);
}

// sqlite3_config is variadic, which Swift does not import.
static inline int wb_sqlite3_config_int(int option, int value) {
    return sqlite3_config(option, value);
}

// sqlite3_db_config is variadic, too; nobody here asks for the former value.
static inline int wb_sqlite3_db_config_int(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

#endif
