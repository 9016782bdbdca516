package dev.hearth.kernel.internal.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A number that changes when a file is added to, removed from or replaced in the directories of an installation. A
 * process that has read an older state of them differs from one that starts now. Stateless.
 */
final class InstallationStamp {
    private static final Logger LOG = LoggerFactory.getLogger(InstallationStamp.class);

    private InstallationStamp() {}

    /** The stamp of the files directly in {@code directories}; a missing directory counts as empty. */
    static long of(List<Path> directories) {
        List<Long> files = new ArrayList<>();
        for (Path directory : directories) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
                for (Path entry : entries) {
                    files.add(of(entry));
                }
            } catch (IOException | DirectoryIteratorException missing) {
                LOG.trace("{}: not read", directory, missing);
            }
        }
        long[] sorted = files.stream().mapToLong(Long::longValue).sorted().toArray(); // directories have no order
        return Arrays.hashCode(sorted);
    }

    private static long of(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return Objects.hash(file, found.size(), found.lastModifiedTime(), found.fileKey());
    }
}
