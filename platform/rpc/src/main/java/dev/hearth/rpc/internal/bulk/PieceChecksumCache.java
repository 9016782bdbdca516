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
 * The CRC32C of whole pieces of files, so that what is sent often is read by this process once. A file that changed
 * lately may change again without a trace in its times: its checksums are not kept. Guarded by itself; any thread may call.
 */
final class PieceChecksumCache {
    /** About 8 MiB of memory, for 64 GiB of files. */
    static final int PIECES_MAX = 65_536;

    private static final Duration SETTLED = Duration.ofSeconds(2);

    private final Ticker ticker;
    private final Map<Piece, Integer> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Piece, Integer> eldest) {
            return size() > PIECES_MAX;
        }
    };

    PieceChecksumCache(Ticker ticker) {
        this.ticker = ticker;
    }

    /** The file in its present state. */
    FileState stateOf(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        Duration age = Duration.between(found.lastModifiedTime().toInstant(), ticker.wall());
        return new FileState(
                file + " " + found.fileKey(),
                found.size(),
                found.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                age.compareTo(SETTLED) > 0);
    }

    /** The checksum of a part of a file, read when it is not known; {@code buffer} takes the bytes. */
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
        if (state.settled && length > BulkLimits.PIECE_BYTES / 2) { // small parts are hardly ever asked for twice
            keep(piece, checksum);
        }
        return checksum;
    }

    private synchronized OptionalInt find(Piece piece) {
        Integer checksum = known.get(piece);
        return checksum == null ? OptionalInt.empty() : OptionalInt.of(checksum);
    }

    private synchronized void keep(Piece piece, int checksum) {
        known.put(piece, checksum);
    }

    /** Which file, in which state; {@code settled} when it did not change lately. */
    record FileState(String file, long size, long changedNanos, boolean settled) {}

    private record Piece(FileState state, long position, int length) {}
}
