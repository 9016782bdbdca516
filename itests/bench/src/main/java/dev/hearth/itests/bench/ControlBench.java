package dev.hearth.itests.bench;

import dev.hearth.itests.bench.BenchMessages.Letter;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.Streams;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** W7e: asks one after another, first alone, then while the server's file is fetched over and over by the same process. */
final class ControlBench {
    private static final long END_SECONDS_MAX = 120;

    private final EndpointRef ref;
    private final Streams streams;
    private final RpcAddress from;
    private final int calls;
    private final int repetitions;

    ControlBench(EndpointRef ref, Streams streams, RpcAddress from, BenchArguments arguments) {
        this.ref = ref;
        this.streams = streams;
        this.from = from;
        this.calls = arguments.calls();
        this.repetitions = arguments.repetitions();
    }

    void run() throws Exception {
        for (int i = 0; i <= repetitions; i++) {
            ask(i, "idle");
        }
        for (int i = 0; i <= repetitions; i++) {
            Load load = new Load();
            load.next();
            ask(i, "bulk");
            load.end();
        }
    }

    private void ask(int repetition, String beside) throws Exception {
        Latencies latencies = new Latencies(calls);
        Meter meter = new Meter();
        for (int id = 0; id < calls; id++) {
            long startedNanos = System.nanoTime();
            ref.ask(new Letter(id, BenchMessages.BODY), Letter.class, AskBench.TIMEOUT)
                    .toCompletableFuture()
                    .get();
            latencies.record(System.nanoTime() - startedNanos);
        }
        meter.report("W7e", "control;beside=" + beside + "|hearth", repetition, calls, "msg/s", latencies.summary());
    }

    /** Fetches the file repeatedly until it is stopped. */
    private final class Load {
        private final AtomicLong bytes = new AtomicLong();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private final long startedNanos = System.nanoTime();
        private volatile boolean enough;

        void next() {
            if (enough) {
                ended.complete(null);
                return;
            }
            streams.fetch(from, BulkBench.STREAM, StreamRange.ALL, part -> bytes.addAndGet(part.remaining()))
                    .done()
                    .whenComplete((info, failure) -> {
                        if (failure == null) {
                            next();
                        } else {
                            ended.completeExceptionally(failure);
                        }
                    });
        }

        void end() throws Exception {
            enough = true;
            ended.get(END_SECONDS_MAX, TimeUnit.SECONDS);
            long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startedNanos);
            System.err.println("bulk beside it: " + bytes.get() / Math.max(1, micros) + " MB/s");
        }
    }
}
