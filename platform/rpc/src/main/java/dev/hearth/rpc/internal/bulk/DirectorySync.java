package dev.hearth.rpc.internal.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes directory entries survive a power failure, which syncing a file alone does not do. Stateless. */
interface DirectorySync {
    /** Returns when all current entries of {@code directory} are on disk. */
    void sync(Path directory) throws IOException;

    /** Syncs on POSIX systems. Other systems cannot open a directory, and write its entries in order by themselves. */
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
