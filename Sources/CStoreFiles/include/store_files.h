#pragma once

/// Registers the VFS of store files as SQLite's default for this process. Further calls have no effect.
///
/// - Returns: an SQLite result code.
int parlance_register_store_files(void);
