package dev.hearth.rpc.internal.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Syncs directories to disk, so that new files survive a power failure. Syncing the files alone does not ensure that.
 * Stateless.
 */
interface DirectorySync {
    /** Syncs {@code directory}. Returns when all its current entries are on disk. */
    void sync(Path directory) throws IOException;

    /**
     * Returns the implementation for this operating system. On systems without POSIX permissions it does nothing,
     * because they cannot open a directory; they write its entries in order without a sync.
     */
    static DirectorySync ofSystem() {
        return directory -> {
            if (BulkFilePermissions.supportsPosix(directory)) {
                try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                    names.force(true);
                }
            }
        };
    }
}
