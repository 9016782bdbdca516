package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * Cache of CRC32C checksums of file pieces, so that a frequently sent piece is read only once to compute its checksum.
 * Recently changed files are not cached, because another change might not alter their modification time. Guarded by its
 * own lock. Thread-safe.
 */
final class PieceChecksumCache {
    /** Maximum number of cached checksums: about 8 MiB of memory, for 64 GiB of files. */
    static final int PIECES_MAX = 65_536;

    private static final Duration SETTLED = Duration.ofSeconds(2);

    private final Ticker ticker;
    private final Map<Piece, Integer> cached = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Piece, Integer> eldest) {
            return size() > PIECES_MAX;
        }
    };

    PieceChecksumCache(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Reads the current state of the file: its identity, size and modification time. */
    FileState stateOf(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        Duration age = Duration.between(found.lastModifiedTime().toInstant(), ticker.wall());
        return new FileState(
                file + " " + found.fileKey(),
                found.size(),
                found.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                age.compareTo(SETTLED) > 0);
    }

    /** Returns the checksum of a part of a file. If the checksum is not cached, reads the part into {@code buffer}. */
    int checksum(FileState state, FileChannel file, long position, int length, ByteBuffer buffer) throws IOException {
        Piece piece = new Piece(state, position, length);
        OptionalInt found = find(piece);
        if (found.isPresent()) {
            return found.getAsInt();
        }
        buffer.clear().limit(length);
        FileAccess.fully(file, position, buffer);
        CRC32C crc = new CRC32C();
        crc.update(buffer.flip());
        int checksum = (int) crc.getValue();
        if (state.settled && length > BulkLimits.PIECE_BYTES / 2) {
            // not cached: small parts are rarely requested twice
            cache(piece, checksum);
        }
        return checksum;
    }

    private synchronized OptionalInt find(Piece piece) {
        Integer checksum = cached.get(piece);
        return checksum == null ? OptionalInt.empty() : OptionalInt.of(checksum);
    }

    private synchronized void cache(Piece piece, int checksum) {
        cached.put(piece, checksum);
    }

    /**
     * State of a file, which is a part of the cache key. {@code settled} means that its last change is more than two
     * seconds ago; only then are its checksums cached.
     */
    record FileState(String file, long size, long changedNanos, boolean settled) {}

    private record Piece(FileState state, long position, int length) {}
}
