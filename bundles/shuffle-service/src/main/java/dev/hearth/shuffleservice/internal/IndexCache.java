package dev.hearth.shuffleservice.internal;

import dev.hearth.spi.shuffle.MapOutputIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cache of index files. It is bounded in bytes, and forgets the index that was unused longest. An index that was
 * replaced on disk is read again. Any thread may call; guarded by its own lock, which is not held during reads.
 */
final class IndexCache {
    private static final Logger LOG = LoggerFactory.getLogger(IndexCache.class);
    private static final int ENTRY_BYTES = 256; // of an entry without its arrays, estimated
    private static final int ENTRIES_USUAL = 16;
    private static final float LOAD = 0.75f;

    private final long bytesMax;
    private final Map<Path, Entry> entries = new LinkedHashMap<>(ENTRIES_USUAL, LOAD, true); // longest unused first
    private long bytes;

    IndexCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    private record Entry(@Nullable Object file, FileTime written, MapOutputIndex index) {
        boolean isOf(BasicFileAttributes now) {
            return Objects.equals(file, now.fileKey()) && written.equals(now.lastModifiedTime());
        }

        long bytes() {
            return index.heldBytes() + ENTRY_BYTES;
        }
    }

    /** The index in the file {@code path}; empty if there is none. A file that is not whole counts as none. */
    Optional<MapOutputIndex> read(Path path) {
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            Entry known = known(path);
            if (known == null || !known.isOf(now)) {
                known = new Entry(
                        now.fileKey(), now.lastModifiedTime(), MapOutputIndex.decode(Files.readAllBytes(path)));
                put(path, known);
            }
            return Optional.of(known.index);
        } catch (NoSuchFileException missing) {
            forget(path);
            return Optional.empty();
        } catch (IOException damaged) {
            LOG.warn("{}: is not served: {}", path, damaged.toString());
            forget(path);
            return Optional.empty();
        }
    }

    private synchronized @Nullable Entry known(Path path) {
        return entries.get(path);
    }

    private synchronized void put(Path path, Entry entry) {
        forget(path);
        entries.put(path, entry);
        bytes += entry.bytes();
        Iterator<Entry> oldest = entries.values().iterator();
        while (bytes > bytesMax && entries.size() > 1) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    synchronized void forget(Path path) {
        Entry gone = entries.remove(path);
        bytes -= gone == null ? 0 : gone.bytes();
    }

    /** Forgets all indexes below {@code directory}. */
    synchronized void forgetAll(Path directory) {
        entries.entrySet().removeIf(entry -> {
            boolean below = entry.getKey().startsWith(directory);
            bytes -= below ? entry.getValue().bytes() : 0;
            return below;
        });
    }

    synchronized int size() {
        return entries.size();
    }

    synchronized long bytes() {
        return bytes;
    }
}
