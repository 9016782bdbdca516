package dev.hearth.itests.bench;

import dev.hearth.itests.bench.BenchMessages.Letter;
import dev.hearth.spi.rpc.EndpointRef;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * W7: asks with one in flight (W7a) and with more (W7b). Each is done twice: with the next ask leaving from the thread that
 * brought an answer, and with a thread of the caller's own that waits for answers.
 */
final class AskBench {
    static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int CALLS_FACTOR_IN_FLIGHT = 20;
    private static final int[] IN_FLIGHT = {64, 1_000};
    private static final String CALLER_THREAD = ";caller-thread";

    private final EndpointRef ref;
    private final String variant;
    private final int calls;
    private final int repetitions;

    AskBench(EndpointRef ref, String variant, BenchArguments arguments) {
        this.ref = ref;
        this.variant = variant;
        this.calls = arguments.calls();
        this.repetitions = arguments.repetitions();
    }

    void run() throws Exception {
        for (int i = 0; i <= repetitions; i++) {
            oneFromTheAnswer(i);
        }
        for (int i = 0; i <= repetitions; i++) {
            oneFromTheCaller(i);
        }
        for (int inFlight : IN_FLIGHT) {
            for (int i = 0; i <= repetitions; i++) {
                manyFromTheAnswer(i, inFlight);
            }
            for (int i = 0; i <= repetitions; i++) {
                manyFromTheCaller(i, inFlight);
            }
        }
    }

    private void oneFromTheAnswer(int repetition) throws Exception {
        Latencies latencies = new Latencies(calls);
        CompletableFuture<Void> done = new CompletableFuture<>();
        Meter meter = new Meter();
        askNext(latencies, done);
        done.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        meter.report("W7a", work(1, ""), repetition, calls, "msg/s", latencies.summary());
    }

    private void askNext(Latencies latencies, CompletableFuture<Void> done) {
        int id = latencies.count();
        long startedNanos = System.nanoTime();
        Window.observe(ask(id), done, answer -> {
            latencies.record(System.nanoTime() - startedNanos);
            if (answer.id() != id) {
                done.completeExceptionally(wrong(answer, id));
            } else if (latencies.count() == calls) {
                done.complete(null);
            } else {
                askNext(latencies, done);
            }
        });
    }

    private void oneFromTheCaller(int repetition) throws Exception {
        Latencies latencies = new Latencies(calls);
        Meter meter = new Meter();
        for (int id = 0; id < calls; id++) {
            long startedNanos = System.nanoTime();
            Letter answer = ask(id).toCompletableFuture().get();
            latencies.record(System.nanoTime() - startedNanos);
            if (answer.id() != id) {
                throw wrong(answer, id);
            }
        }
        meter.report("W7a", work(1, CALLER_THREAD), repetition, calls, "msg/s", latencies.summary());
    }

    private void manyFromTheAnswer(int repetition, int inFlight) throws Exception {
        long amount = (long) calls * CALLS_FACTOR_IN_FLIGHT;
        Stream stream = new Stream(Math.max(amount, inFlight));
        Meter meter = new Meter();
        for (int i = 0; i < inFlight; i++) {
            stream.askNext();
        }
        stream.done.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        meter.report("W7b", work(inFlight, ""), repetition, amount, "msg/s", "");
    }

    private void manyFromTheCaller(int repetition, int inFlight) throws Exception {
        int amount = calls * CALLS_FACTOR_IN_FLIGHT;
        Window window = new Window(inFlight);
        Meter meter = new Meter();
        for (int id = 0; id < amount; id++) {
            window.enter();
            window.leaveAfter(ask(id), answer -> {});
        }
        window.awaitEmpty();
        meter.report("W7b", work(inFlight, CALLER_THREAD), repetition, amount, "msg/s", "");
    }

    private CompletionStage<Letter> ask(long id) {
        return ref.ask(new Letter(id, BenchMessages.BODY), Letter.class, TIMEOUT);
    }

    private String work(int inFlight, String how) {
        return "ask;inflight=" + inFlight + ";body=" + BenchMessages.BODY.length() + "|" + variant + how;
    }

    private static IllegalStateException wrong(Letter answer, long id) {
        return new IllegalStateException("answer: to ask " + answer.id() + " (expected: to " + id + ")");
    }

    /** Asks that are followed by the next as soon as they are answered. */
    private final class Stream {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        private final long amount;
        private final AtomicLong asked = new AtomicLong();
        private final AtomicLong answered = new AtomicLong();

        Stream(long amount) {
            this.amount = amount;
        }

        void askNext() {
            long id = asked.getAndIncrement();
            if (id >= amount) {
                return;
            }
            Window.observe(ask(id), done, answer -> {
                if (answer.id() != id) {
                    done.completeExceptionally(wrong(answer, id));
                } else if (answered.incrementAndGet() == amount) {
                    done.complete(null);
                } else {
                    askNext();
                }
            });
        }
    }
}
