package dev.hearth.engine.internal.driver;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.protocol.BlockProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import dev.hearth.spi.stream.Streams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Brings large results from the executors that hold them, before scheduling hears of these ends: to it such a task still runs, so that
 * one whose executor is lost meanwhile runs again, and none counts twice. Owned by the driver's loop. Invariant: no more than {@code
 * bytesMax} bytes are on their way at once, but for a single result.
 */
final class ResultFetcher {
    /** What is on its way at once where results have no bound. */
    static final long UNBOUNDED_BYTES = 1L << 30;

    private static final int RETRIES = 3;
    private static final Duration RETRY_WAIT = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final Supplier<Streams> streams;
    private final Callbacks outlets;
    private final long resultBytesMax;
    private final Queue<Fetch> waiting = new ArrayDeque<>();
    private long bytesComing;
    private boolean beginning; // what ends within makes room for the loop that runs already
    private boolean closed;

    /** Where it comes from and goes to. */
    interface Callbacks {
        /** How an executor is reached, while it is there. */
        Optional<BlockServerAddress> holder(ExecutorId executor);

        /** Receives task ends that carry their results. */
        void tasksEnded(ExecutorId executor, List<TaskEnd> ends);

        /** Decrypts a fetched result if the application encrypts its files. Any thread may complete it. */
        CompletionStage<Bytes> decrypted(Bytes fetched);

        /** The executor need not hold the result of a task any more. */
        void drop(ExecutorId executor, long task);
    }

    private record Fetch(ExecutorId executor, TaskEnd end) {}

    /** {@code resultBytesMax} is what results of a stage may take together; 0 is no bound. */
    ResultFetcher(EventLoop loop, Supplier<Streams> streams, long resultBytesMax, Callbacks outlets) {
        this.loop = loop;
        this.streams = streams;
        this.resultBytesMax = resultBytesMax;
        this.outlets = outlets;
    }

    /** Passes on the ends that carry their results, and fetches the results of the others first. */
    void tasksEnded(ExecutorId executor, List<TaskEnd> ends) {
        if (closed) {
            return;
        }
        List<TaskEnd> whole = new ArrayList<>(ends.size());
        for (TaskEnd end : ends) {
            boolean isHeld = end.value() instanceof TaskResult.Indirect;
            if (isHeld && !isHopeless(end)) {
                waiting.add(new Fetch(executor, end));
            } else {
                whole.add(end);
            }
            if (isHeld && isHopeless(end)) {
                outlets.drop(executor, end.task());
            }
        }
        if (!whole.isEmpty()) {
            outlets.tasksEnded(executor, whole);
        }
        begin();
    }

    /** Starts no further fetch and ignores task ends from now on. */
    void close() {
        closed = true;
        waiting.clear();
    }

    /** By itself more than is allowed: whoever counts refuses it unread. */
    private boolean isHopeless(TaskEnd end) {
        return resultBytesMax > 0 && end.value().weight() > resultBytesMax;
    }

    private void begin() {
        if (!beginning) {
            beginning = true;
            try {
                beginWaiting();
            } finally {
                beginning = false;
            }
        }
    }

    private void beginWaiting() {
        long most = resultBytesMax > 0 ? resultBytesMax : UNBOUNDED_BYTES;
        for (Fetch next = waiting.peek();
                next != null
                        && (bytesComing == 0 || bytesComing + next.end.value().weight() <= most);
                next = waiting.peek()) {
            waiting.remove();
            bytesComing += next.end.value().weight();
            attempt(next, RETRIES);
        }
    }

    private void attempt(Fetch fetch, int retries) {
        Optional<RpcAddress> address =
                outlets.holder(fetch.executor).flatMap(holder -> RpcAddress.parse(holder.address()));
        if (address.isEmpty()) { // it is gone, and its tasks run elsewhere
            over(fetch);
            return;
        }
        HeapSink bytes = new HeapSink(fetch.end.value().weight());
        String name = BlockProtocol.RESULTS + "/" + fetch.end.task();
        streams.get()
                .fetch(address.get(), name, StreamRange.ALL, bytes)
                .done()
                .thenCompose(info -> outlets.decrypted(bytes.filled()))
                .whenComplete((value, failure) -> loop.execute(() -> {
                    if (failure == null) {
                        arrived(fetch, value);
                    } else if (retries > 0 && isPassing(failure)) {
                        loop.schedule(RETRY_WAIT, () -> attempt(fetch, retries - 1));
                    } else {
                        failed(fetch, failure);
                    }
                }));
    }

    private static boolean isPassing(Throwable failure) {
        return List.of(ErrorCode.PEER_LOST, ErrorCode.PEER_UNREACHABLE, ErrorCode.STREAM_DAMAGED)
                .contains(Failures.code(failure));
    }

    private void arrived(Fetch fetch, Bytes bytes) {
        TaskEnd end = fetch.end;
        over(fetch);
        outlets.drop(fetch.executor, end.task());
        outlets.tasksEnded(
                fetch.executor,
                List.of(TaskEnd.succeeded(
                        end.task(), new TaskResult.Encoded(bytes), end.metrics(), end.accumulated())));
    }

    private void failed(Fetch fetch, Throwable failure) {
        TaskEnd end = fetch.end;
        over(fetch);
        outlets.drop(fetch.executor, end.task());
        String text = "result of " + end.value().weight() + " bytes: cannot be fetched from executor " + fetch.executor
                + ": " + Failures.describe(failure) + " (expected: held there until it is fetched)";
        outlets.tasksEnded(
                fetch.executor,
                List.of(TaskEnd.ended(end.task(), TaskOutcome.FAILED, TaskFailure.of(text), end.metrics())));
    }

    private void over(Fetch fetch) {
        bytesComing -= fetch.end.value().weight();
        begin();
    }

    /** An array as it fills. Owned by the transfer until that has ended. */
    private static final class HeapSink implements StreamSink {
        private final long expected;
        private byte[] bytes = {};
        private int filled;

        HeapSink(long expected) {
            this.expected = expected;
        }

        @Override
        public void opened(StreamInfo info) throws IOException {
            if (info.length() != expected) {
                throw new IOException(info.length() + " bytes (expected: " + expected + ")");
            }
            try {
                bytes = new byte[Math.toIntExact(expected)];
            } catch (OutOfMemoryError full) {
                throw new IOException(
                        "there is no room for it in the driver's heap (expected: --driver-memory enough for results)",
                        full);
            }
        }

        @Override
        public void received(ByteBuffer some) {
            int count = some.remaining();
            some.get(bytes, filled, count);
            filled += count;
        }

        Bytes filled() {
            return Bytes.owning(bytes);
        }
    }
}
