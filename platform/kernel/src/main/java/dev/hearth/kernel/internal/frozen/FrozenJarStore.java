package dev.hearth.kernel.internal.frozen;

import dev.hearth.kernel.internal.inventory.FullDisk;
import dev.hearth.kernel.internal.inventory.JarHasher;
import dev.hearth.spi.stream.ContentHashes;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reference-counted copies of jars, named by the hash of their bytes. Guarded by its own lock, which is held while jars
 * are copied. Deleted when the process ends. Invariant: the file of a copy exists as long as the copy is referenced.
 */
final class FrozenJarStore {
    private static final Logger LOG = LoggerFactory.getLogger(FrozenJarStore.class);
    private static final String SUFFIX = ".jar";

    /** Size from which on the hash of a jar is remembered between processes: a start notices the time to compute it. */
    private static final long LARGE_BYTES = 16L << 20;

    private final Path directory;
    private final Optional<ContentHashes> hashes;
    private final long largeBytes;
    private final SortedMap<String, Integer> holders = new TreeMap<>(); // count by content

    /** {@code hashes} are those of large jars that have not changed since an earlier process read them. */
    FrozenJarStore(Path directory, Optional<ContentHashes> hashes) {
        this(directory, hashes, LARGE_BYTES);
    }

    FrozenJarStore(Path directory, Optional<ContentHashes> hashes, long largeBytes) {
        this.directory = directory;
        this.hashes = hashes;
        this.largeBytes = largeBytes;
    }

    /**
     * Copies a jar into this store, and counts one more snapshot that needs the copy. Returns the hash of its content.
     */
    synchronized ContentId hold(Path jar) throws IOException {
        Files.createDirectories(directory);
        Path incoming = directory.resolve("incoming" + SUFFIX);
        ContentId content = copy(jar, incoming);
        Files.move(incoming, path(content), StandardCopyOption.REPLACE_EXISTING);
        holders.merge(content.sha256(), 1, Integer::sum);
        return content;
    }

    private ContentId copy(Path jar, Path incoming) throws IOException {
        if (hashes.isPresent() && Files.size(jar) >= largeBytes) {
            ContentHashes known = hashes.get();
            Optional<ContentId> before = known.known(jar);
            if (before.isEmpty()) {
                before = Optional.of(known.read(jar));
            }
            JarHasher.copyPlainly(jar, incoming);
            if (known.known(jar).equals(before)) { // unchanged meanwhile
                return before.get();
            }
        }
        return JarHasher.copy(jar, incoming);
    }

    /**
     * Returns the error text to report if {@code failure} occurred because the disk of this store is full; empty
     * otherwise.
     */
    Optional<String> fullDisk(Throwable failure) {
        return FullDisk.problem(directory, failure);
    }

    Path path(ContentId content) {
        return directory.resolve(content.sha256() + SUFFIX);
    }

    synchronized void release(ContentId content) {
        if (holders.merge(content.sha256(), -1, Integer::sum) == 0) {
            holders.remove(content.sha256());
            try {
                Files.deleteIfExists(path(content));
            } catch (IOException failure) {
                LOG.warn(
                        "frozen bundles: {} was not deleted; the end of the process deletes it",
                        path(content),
                        failure);
            }
        }
    }
}
