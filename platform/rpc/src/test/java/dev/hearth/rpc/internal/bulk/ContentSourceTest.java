package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.stream.StreamContent;
import dev.hearth.testkit.FakeTicker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks of files in any order, and checksums of files that change. */
class ContentSourceTest {
    private static final int SIZE = BulkLimits.PIECE_BYTES;
    private static final byte[] CONTENT = BulkPair.random(5, SIZE);

    @TempDir
    Path directory;

    private final FakeTicker ticker = new FakeTicker();
    private final PieceChecksumCache checksums = new PieceChecksumCache(ticker);

    @Test
    void readsPartsOfFilesInAnyOrder() throws Exception {
        Path one = Files.write(directory.resolve("one"), Arrays.copyOf(CONTENT, 600));
        Path other = Files.write(directory.resolve("other"), Arrays.copyOfRange(CONTENT, 500, 1_100));
        StreamContent parts = new StreamContent.FileParts(
                List.of(
                        new StreamContent.FilePart(one, 0, 600, "one"),
                        new StreamContent.FilePart(other, 100, 500, "")),
                "tag");
        try (ContentSource source = ContentSource.open(parts, checksums)) {
            for (int offset : new int[] {0, 700, 100, 550, 0, 1_000, 500}) {
                assertArrayEquals(Arrays.copyOfRange(CONTENT, offset, offset + 100), read(source, offset), "" + offset);
            }
        }
    }

    @Test
    void readsAFileAgainThatChangedRecently() throws Exception {
        assertEquals(2, checksums(Duration.ofSeconds(2)), "another change may keep the time of the file");
        assertEquals(1, checksums(Duration.ofSeconds(3)), "from the cache");
    }

    /** The number of checksums of a file of this age, whose bytes change while its state remains the same. */
    private long checksums(Duration age) throws IOException {
        Path file = directory.resolve("file-" + age.toSeconds());
        FileTime time = FileTime.from(ticker.wall().minus(age));
        int[] found = new int[2];
        for (int i = 0; i < found.length; i++) {
            byte[] bytes = CONTENT.clone();
            bytes[0] = (byte) i;
            Files.write(file, bytes);
            Files.setLastModifiedTime(file, time);
            try (FileChannel channel = FileChannel.open(file)) {
                found[i] = checksums.checksum(
                        checksums.stateOf(file), channel, 0, SIZE, ByteBuffer.allocate(BulkLimits.PIECE_BYTES));
            }
        }
        return Arrays.stream(found).distinct().count();
    }

    private static byte[] read(ContentSource source, int offset) throws IOException {
        ByteBuf chunk = (ByteBuf)
                source.chunk(ByteBufAllocator.DEFAULT, offset, 100, false).message();
        try {
            return ByteBufUtil.getBytes(chunk);
        } finally {
            chunk.release();
        }
    }
}
