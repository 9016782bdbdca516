package dev.hearth.rpc.internal.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes the names in a directory last over a power cut, which syncing a file alone does not. Stateless. */
interface DirectorySync {
    /** Returns once the disk has every name that {@code directory} has now. */
    void sync(Path directory) throws IOException;

    /** What the system can: those without POSIX rights open no directory, and write names in their order by themselves. */
    static DirectorySync ofSystem() {
        return directory -> {
            if (BulkFilePermissions.knowsRights(directory)) {
                try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                    names.force(true);
                }
            }
        };
    }
}
