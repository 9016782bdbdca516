package dev.hearth.itests.bench;

import dev.hearth.itests.bench.BenchMessages.Count;
import dev.hearth.itests.bench.BenchMessages.Letter;
import dev.hearth.itests.bench.BenchMessages.Received;
import dev.hearth.spi.rpc.EndpointRef;
import java.util.concurrent.atomic.AtomicLong;

/**
 * W7c: messages without an answer, from one thread, until the receiver has counted them all. After every window of them
 * goes a question for the count, so that what waits stays bounded however slow the receiver is.
 */
final class SendBench {
    /** Letters between two questions, and questions that may wait for their answers; the peer's program has the same. */
    private static final int WINDOW_LETTERS = 10_000;

    private static final int WINDOWS_MAX = 8;
    private static final int LETTERS_FACTOR = 50;

    private final EndpointRef ref;
    private final String variant;
    private final int letters;
    private final int repetitions;

    SendBench(EndpointRef ref, String variant, BenchArguments arguments) {
        this.ref = ref;
        this.variant = variant;
        this.letters = arguments.calls() * LETTERS_FACTOR;
        this.repetitions = arguments.repetitions();
    }

    void run() throws Exception {
        for (int i = 0; i <= repetitions; i++) {
            repeat(i);
        }
    }

    private void repeat(int repetition) throws Exception {
        AtomicLong counted = new AtomicLong();
        Window windows = new Window(WINDOWS_MAX);
        Meter meter = new Meter();
        for (int sent = 0; sent < letters; sent++) {
            if (sent % WINDOW_LETTERS == 0) {
                windows.enter();
            }
            ref.send(new Letter(sent, BenchMessages.BODY));
            if ((sent + 1) % WINDOW_LETTERS == 0 || sent + 1 == letters) {
                windows.leaveAfter(
                        ref.ask(new Received(), Count.class, AskBench.TIMEOUT),
                        count -> counted.addAndGet(count.letters()));
            }
        }
        windows.awaitEmpty();
        if (counted.get() != letters) {
            throw new IllegalStateException("letters: " + counted + " received (expected: " + letters + ")");
        }
        String work = "send;body=" + BenchMessages.BODY.length() + "|" + variant;
        meter.report("W7c", work, repetition, letters, "msg/s", "");
    }
}
