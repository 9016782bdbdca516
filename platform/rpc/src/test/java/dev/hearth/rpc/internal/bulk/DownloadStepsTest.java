package dev.hearth.rpc.internal.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts of a download without a network: each fetch brings what the test says. */
class DownloadStepsTest implements Download.Fetcher, Download.Steps {
    private static final int SIZE = 1_000;
    private static final byte[] CONTENT = BulkPair.random(9, SIZE);

    @TempDir
    Path directory;

    private final List<Long> offsets = new ArrayList<>();

    @Test
    void countsTheProgressOfChangedContentFromItsBeginning() throws Exception {
        Path target = directory.resolve("got.bin");
        Duration wait = Duration.ofMillis(5);
        Download download = new Download("download", target, this, this, new RetryBackoff(wait, wait));
        StreamInfo info = BulkPair.await(download.start());
        assertEquals(SIZE, info.size());
        assertArrayEquals(CONTENT, Files.readAllBytes(target));
        assertEquals(List.of(0L, 900L, 0L, 100L, 200L, 300L, 400L, 500L, 600L, 700L, 800L, 900L), offsets);
    }

    /** Brings 900 bytes, then finds another content, of which each attempt brings 100 bytes. */
    @Override
    public CompletionStage<StreamInfo> fetch(StreamRange range, StreamSink sink) {
        offsets.add(range.offset());
        int attempt = offsets.size();
        if (attempt == 2) {
            return CompletableFuture.failedStage(ErrorCode.STREAM_CHANGED.failure("stream: changed"));
        }
        int from = (int) range.offset();
        int bytes = attempt == 1 ? 900 : 100;
        StreamInfo info = new StreamInfo(SIZE, attempt == 1 ? "first" : "second", from, SIZE - from);
        try {
            sink.opened(info);
            sink.received(ByteBuffer.wrap(CONTENT, from, bytes));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return from + bytes == SIZE
                ? CompletableFuture.completedStage(info)
                : CompletableFuture.failedStage(ErrorCode.PEER_LOST.failure("stream: cut"));
    }

    @Override
    public boolean now(Runnable step) {
        step.run();
        return true;
    }

    @Override
    public void later(Duration delay, Runnable step) {
        step.run();
    }
}
