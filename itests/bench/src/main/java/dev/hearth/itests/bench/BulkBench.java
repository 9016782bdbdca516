package dev.hearth.itests.bench;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.Streams;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** W7d: the server's file as a stream of the bulk lane, checked and counted by its reader. */
final class BulkBench {
    /** Name of the server's file. */
    static final String STREAM = "bench/file";

    private static final long REPETITION_SECONDS_MAX = 120;

    private final Streams streams;
    private final RpcAddress from;
    private final long bytes;
    private final int repetitions;

    BulkBench(Streams streams, RpcAddress from, BenchArguments arguments) {
        this.streams = streams;
        this.from = from;
        this.bytes = Long.parseLong(arguments.text("bytes", "0"));
        this.repetitions = arguments.repetitions();
    }

    void run() throws Exception {
        for (int i = 0; i <= repetitions; i++) {
            repeat(i);
        }
    }

    private void repeat(int repetition) throws Exception {
        AtomicLong counted = new AtomicLong();
        Meter meter = new Meter();
        StreamInfo info = streams.fetch(from, STREAM, StreamRange.ALL, part -> counted.addAndGet(part.remaining()))
                .done()
                .toCompletableFuture()
                .get(REPETITION_SECONDS_MAX, TimeUnit.SECONDS);
        if (counted.get() != bytes || info.size() != bytes) {
            throw new IllegalStateException("bytes: " + counted + " received (expected: " + bytes + ")");
        }
        meter.report("W7d", "bulk;bytes=" + bytes + "|hearth;stream", repetition, bytes, "B/s", "");
    }
}
