package dev.hearth.kernel.internal.frozen;

import dev.hearth.kernel.internal.inventory.HashedJar;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of jars by the hash of their bytes, for as long as an application of this process needs one. Guarded by its own lock,
 * under which jars are copied; the directory ends with the process. Invariant: a content that is held has its file.
 */
final class FrozenJars {
    private static final Logger LOG = LoggerFactory.getLogger(FrozenJars.class);
    private static final String SUFFIX = ".jar";

    private final Path directory;
    private final SortedMap<String, Integer> holders = new TreeMap<>(); // how many, by content

    FrozenJars(Path directory) {
        this.directory = directory;
    }

    /** Copies a jar as it is now, and holds the copy. */
    synchronized ContentId hold(Path jar) throws IOException {
        Files.createDirectories(directory);
        Path incoming = directory.resolve("incoming" + SUFFIX);
        ContentId content = HashedJar.copy(jar, incoming);
        Files.move(incoming, path(content), StandardCopyOption.REPLACE_EXISTING);
        holders.merge(content.sha256(), 1, Integer::sum);
        return content;
    }

    Path path(ContentId content) {
        return directory.resolve(content.sha256() + SUFFIX);
    }

    synchronized void letGo(ContentId content) {
        if (holders.merge(content.sha256(), -1, Integer::sum) == 0) {
            holders.remove(content.sha256());
            try {
                Files.deleteIfExists(path(content));
            } catch (IOException failure) {
                LOG.warn("frozen bundles: {} was not removed; the end of the process does", path(content), failure);
            }
        }
    }
}
