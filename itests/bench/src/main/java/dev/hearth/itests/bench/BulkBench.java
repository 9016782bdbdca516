package dev.hearth.itests.bench;

import dev.hearth.itests.bench.BenchMessages.Part;
import dev.hearth.itests.bench.BenchMessages.ReadPart;
import dev.hearth.spi.rpc.EndpointRef;
import java.util.concurrent.atomic.AtomicLong;

/**
 * W7d: the server's file, until the client has counted its bytes. Carried by messages, one part each with a few asked for
 * in advance: what a transfer costs that has no lane of its own.
 */
final class BulkBench {
    private static final int PART_BYTES = 1 << 20;
    private static final int PARTS_IN_FLIGHT = 8;

    private final EndpointRef ref;
    private final String variant;
    private final long bytes;
    private final int repetitions;

    BulkBench(EndpointRef ref, String variant, Arguments arguments) {
        this.ref = ref;
        this.variant = variant;
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
        Window window = new Window(PARTS_IN_FLIGHT);
        Meter meter = new Meter();
        for (long offset = 0; offset < bytes; offset += PART_BYTES) {
            window.enter();
            ReadPart wanted = new ReadPart(offset, PART_BYTES);
            window.leaveAfter(
                    ref.ask(wanted, Part.class, AskBench.TIMEOUT),
                    part -> counted.addAndGet(part.content().size()));
        }
        window.awaitEmpty();
        if (counted.get() != bytes) {
            throw new IllegalStateException("bytes: " + counted + " received (expected: " + bytes + ")");
        }
        meter.report("W7d", "bulk;bytes=" + bytes + "|" + variant + ";messages", repetition, bytes, "B/s", "");
    }
}
