#pragma once

/// Makes the store's way to its files SQLite's default for this process. Any number of calls do what one does.
///
/// - Returns: an SQLite result code.
int parlance_register_store_files(void);
