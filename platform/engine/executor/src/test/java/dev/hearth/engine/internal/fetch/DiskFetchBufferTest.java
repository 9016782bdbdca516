package dev.hearth.engine.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.engine.internal.shuffle.TestingShuffleServices;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.stream.StreamSink;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that arrive after the reader has closed the buffer. */
class DiskFetchBufferTest {
    private static final int BYTES = 100_000;

    @TempDir
    private Path directory;

    @Test
    void leavesNoFileOfARetryThatRacesWithClose() {
        try (TestingShuffleServices parts = new TestingShuffleServices(1 << 20, directory)) {
            DiskFetchBuffer arrival =
                    new DiskFetchBuffer(parts.files(), new FileSegment("there", 1, 0, 0, BYTES), "copy");
            arrival.close();
            assertThrows(RuntimeException.class, () -> {
                StreamSink late = arrival.sink(); // a retry checked the state before the close
                late.received(ByteBuffer.allocate(BYTES));
            });
            assertEquals(0, parts.files().bytes());
        }
    }
}
