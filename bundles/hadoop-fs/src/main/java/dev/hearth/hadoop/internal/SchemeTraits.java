package dev.hearth.hadoop.internal;

import static dev.hearth.spi.storage.StoreTrait.ATOMIC_RENAME;
import static dev.hearth.spi.storage.StoreTrait.BLOCK_HOSTS;
import static dev.hearth.spi.storage.StoreTrait.COPYING_RENAME;
import static dev.hearth.spi.storage.StoreTrait.EXCLUSIVE_CREATE;
import static dev.hearth.spi.storage.StoreTrait.PERMISSIONS;
import static dev.hearth.spi.storage.StoreTrait.SHOWS_WRITES;

import dev.hearth.spi.storage.StoreTrait;
import java.util.Map;
import java.util.Set;

/** Guarantees of file systems of Hadoop, by scheme. Those of unknown ones are none. Stateless. */
final class SchemeTraits {
    private static final Map<String, Set<StoreTrait>> KNOWN = Map.of(
            "hdfs", Set.of(ATOMIC_RENAME, EXCLUSIVE_CREATE, SHOWS_WRITES, BLOCK_HOSTS, PERMISSIONS),
            "viewfs", Set.of(ATOMIC_RENAME, EXCLUSIVE_CREATE, SHOWS_WRITES, BLOCK_HOSTS, PERMISSIONS),
            "webhdfs", Set.of(ATOMIC_RENAME, EXCLUSIVE_CREATE, BLOCK_HOSTS, PERMISSIONS),
            "swebhdfs", Set.of(ATOMIC_RENAME, EXCLUSIVE_CREATE, BLOCK_HOSTS, PERMISSIONS),
            "har", Set.of(BLOCK_HOSTS),
            "s3a", Set.of(COPYING_RENAME));

    /** Those that refuse to seek beyond the end of a file, instead of failing at the next read. */
    private static final Set<String> SEEK_WITHIN = Set.of("hdfs", "viewfs", "har");

    private SchemeTraits() {}

    static Set<StoreTrait> of(String scheme) {
        return KNOWN.getOrDefault(scheme, Set.of());
    }

    static boolean seeksWithinFile(String scheme) {
        return SEEK_WITHIN.contains(scheme);
    }

    /** Whether a status that is given to {@code openFile} spares the file system a request. */
    static boolean opensByStatus(String scheme) {
        return !KNOWN.getOrDefault(scheme, Set.of()).contains(BLOCK_HOSTS);
    }
}
