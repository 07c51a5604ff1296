// A VFS for the files of a store: like `unix`, except that writes to the write-ahead log are combined.
//
// SQLite writes each page of a transaction to the log with two calls: a 24-byte header, then the page. The writes are
// contiguous in the file, so they are collected here and written together: up to the header of the frame that ends the
// transaction, then its page (both before SQLite tells the other connections of it), when the file is synced, or before
// any other operation on the file that could see them.
#include "store_files.h"
#include <sqlite3.h>
#include <string.h>

// SQLite's own files accept fewer than 128 KiB in one call.
enum { CAPACITY = 64 * 1024, FRAME_HEADER = 24 };

typedef struct {
    sqlite3_file file;
    char *bytes; // CAPACITY bytes
    int count;
    sqlite3_int64 offset; // of the first byte in the file
    int commits; // whether the latest frame header ends a transaction
} Log; // followed in memory by the file of `unix`

static sqlite3_vfs *base;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((Log *)file + 1); }

// Drops what cannot be written: SQLite undoes the transaction and writes the next one at the same offset.
static int flush(sqlite3_file *file) {
    Log *log = (Log *)file;
    int count = log->count;
    log->count = 0;
    return count == 0 ? SQLITE_OK : real(file)->pMethods->xWrite(real(file), log->bytes, count, log->offset);
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    Log *log = (Log *)file;
    // The second number of a frame's header is the database's size after a transaction, or 0 within one. Such a header is
    // written at once, and so is what follows it: the page, or nothing if SQLite only corrects checksums.
    static const char within[4];
    int ends = log->commits;
    log->commits = count == FRAME_HEADER && memcmp((const char *)bytes + 4, within, sizeof within) != 0;
    if (log->count > 0 && (offset != log->offset + log->count || log->count + count > CAPACITY)) {
        int code = flush(file);
        if (code != SQLITE_OK) return code;
    }
    if (count > CAPACITY) return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    if (log->count == 0) log->offset = offset;
    memcpy(log->bytes + log->count, bytes, (size_t)count);
    log->count += count;
    return ends || log->commits ? flush(file) : SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    Log *log = (Log *)file;
    if (offset < log->offset + log->count && offset + count > log->offset) {
        int code = flush(file);
        if (code != SQLITE_OK) return code;
    }
    return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = flush(file);
    return code != SQLITE_OK ? code : real(file)->pMethods->xTruncate(real(file), size);
}

static int log_sync(sqlite3_file *file, int flags) {
    int code = flush(file);
    return code != SQLITE_OK ? code : real(file)->pMethods->xSync(real(file), flags);
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
    int code = flush(file);
    return code != SQLITE_OK ? code : real(file)->pMethods->xFileSize(real(file), size);
}

// What is left belongs to no complete transaction, so a failed write changes nothing.
static int log_close(sqlite3_file *file) {
    flush(file);
    sqlite3_free(((Log *)file)->bytes);
    return real(file)->pMethods->xClose(real(file));
}

static int log_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }

static int log_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }

static int log_check_lock(sqlite3_file *file, int *held) {
    return real(file)->pMethods->xCheckReservedLock(real(file), held);
}

static int log_control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int log_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }

static int log_device(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }

static const sqlite3_io_methods log_methods = {
    1, log_close, log_read, log_write, log_truncate, log_sync, log_size,
    log_lock, log_unlock, log_check_lock, log_control, log_sector, log_device, 0, 0, 0, 0, 0, 0,
};

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    if (!(flags & SQLITE_OPEN_WAL)) return base->xOpen(base, path, file, flags, given);
    memset(file, 0, sizeof(Log));
    char *bytes = sqlite3_malloc(CAPACITY);
    if (!bytes) return SQLITE_NOMEM;
    int code = base->xOpen(base, path, real(file), flags, given);
    if (code != SQLITE_OK) {
        sqlite3_free(bytes);
        return code;
    }
    ((Log *)file)->bytes = bytes;
    file->pMethods = &log_methods;
    return SQLITE_OK;
}

static int configured;

// SQLite counts the bytes of its memory under one lock for all connections, and nobody reads the count. It can only be
// configured before its first use in the process, so this runs before main.
__attribute__((constructor)) static void count_no_memory(void) {
    configured = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int parlance_register_store_files(void) {
    static sqlite3_vfs files;
    if (configured != SQLITE_OK) return configured;
    if (sqlite3_vfs_find("parlance")) return SQLITE_OK;
    base = sqlite3_vfs_find("unix");
    if (!base) return SQLITE_NOTFOUND;
    files = *base;
    files.szOsFile += (int)sizeof(Log);
    files.zName = "parlance";
    files.xOpen = open_file;
    return sqlite3_vfs_register(&files, 1);
}
