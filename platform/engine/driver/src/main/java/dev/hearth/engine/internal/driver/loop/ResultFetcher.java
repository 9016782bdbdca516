package dev.hearth.engine.internal.driver.loop;

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
 * Fetches large task results from the executors that store them, and only then reports the ends of these tasks to the
 * schedulers. Until then such a task counts as running. So it runs again if its executor is lost, and no result counts
 * twice. Owned by the driver's event loop.
 * <p>Invariant: the results being fetched have at most {@code resultBytesMax} bytes in total, unless only a single
 * result is being fetched.
 */
final class ResultFetcher {
    /**
     * Maximum total size, in bytes, of the results that are being fetched at one time. Used only if {@code
     * resultBytesMax} is 0, that is, if the results of a stage have no bound.
     */
    static final long UNBOUNDED_BYTES = 1L << 30;

    private static final int RETRIES = 3;
    private static final Duration RETRY_WAIT = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final Supplier<Streams> streams;
    private final Callbacks outlets;
    private final long resultBytesMax;
    private final Queue<Fetch> waiting = new ArrayDeque<>();
    private long bytesInFlight;
    private boolean starting; // true in startFetches, whose loop also handles fetches that end at once
    private boolean closed;

    /**
     * Connects the {@link ResultFetcher} to the executors that store results, and to the schedulers that receive the
     * ends of tasks.
     */
    interface Callbacks {
        /** The address of an executor's block server. Empty if the executor cannot be reached. */
        Optional<BlockServerAddress> holder(ExecutorId executor);

        /** The time of the last message of {@code executor}. */
        long heardNanos(ExecutorId executor);

        /**
         * Receives the ends of tasks that ran on {@code executor}. Each end contains the result of its task, even if
         * that result had to be fetched.
         */
        void tasksEnded(ExecutorId executor, List<TaskEnd> ends);

        /**
         * Decrypts a fetched result if the application encrypts its files; otherwise returns {@code fetched}. The
         * returned stage may complete on any thread.
         */
        CompletionStage<Bytes> decrypted(Bytes fetched);

        /**
         * Orders {@code executor} to delete the result of the task {@code task}, which the executor serves to the
         * driver.
         */
        void drop(ExecutorId executor, long task);
    }

    private record Fetch(ExecutorId executor, TaskEnd end) {}

    /**
     * Creates a fetcher for the driver of one application. {@code resultBytesMax} bounds the total size of one stage's
     * results; 0 means no bound.
     */
    ResultFetcher(EventLoop loop, Supplier<Streams> streams, long resultBytesMax, Callbacks outlets) {
        this.loop = loop;
        this.streams = streams;
        this.resultBytesMax = resultBytesMax;
        this.outlets = outlets;
    }

    /**
     * Reports the task ends whose results are complete. Fetches the missing results of the other task ends before it
     * reports them.
     */
    void tasksEnded(ExecutorId executor, List<TaskEnd> ends) {
        if (closed) {
            return;
        }
        List<TaskEnd> whole = new ArrayList<>(ends.size());
        for (TaskEnd end : ends) {
            boolean isIndirect = end.value() instanceof TaskResult.Indirect;
            if (isIndirect && !isTooLarge(end)) {
                waiting.add(new Fetch(executor, end));
            } else {
                whole.add(end);
            }
            if (isIndirect && isTooLarge(end)) {
                outlets.drop(executor, end.task());
            }
        }
        if (!whole.isEmpty()) {
            outlets.tasksEnded(executor, whole);
        }
        startFetches();
    }

    /** Closes the fetcher. From now on it starts no fetch and ignores ends of tasks. */
    void close() {
        closed = true;
        waiting.clear();
    }

    /**
     * Whether the result of one task alone exceeds {@code resultBytesMax}. Such a result is not fetched, because the
     * scheduler refuses it by its size alone.
     */
    private boolean isTooLarge(TaskEnd end) {
        return resultBytesMax > 0 && end.value().weight() > resultBytesMax;
    }

    private void startFetches() {
        if (!starting) {
            starting = true;
            try {
                startWaiting();
            } finally {
                starting = false;
            }
        }
    }

    private void startWaiting() {
        long most = resultBytesMax > 0 ? resultBytesMax : UNBOUNDED_BYTES;
        for (Fetch next = waiting.peek();
                next != null
                        && (bytesInFlight == 0
                                || bytesInFlight + next.end.value().weight() <= most);
                next = waiting.peek()) {
            waiting.remove();
            bytesInFlight += next.end.value().weight();
            attempt(next, RETRIES);
        }
    }

    /**
     * Tries to fetch a result. Only attempts between two messages of the executor count: one that is silent is given up
     * for lost after a while, and its tasks run elsewhere, which is no failure of theirs if its node is at fault.
     */
    private void attempt(Fetch fetch, int retries) {
        long heard = outlets.heardNanos(fetch.executor);
        Optional<RpcAddress> address =
                outlets.holder(fetch.executor).flatMap(holder -> RpcAddress.parse(holder.address()));
        if (address.isEmpty()) { // the executor is lost, and its tasks run elsewhere
            ended(fetch);
            return;
        }
        HeapSink sink = new HeapSink(fetch.end.value().weight());
        String name = BlockProtocol.RESULTS + "/" + fetch.end.task();
        streams.get()
                .fetch(address.get(), name, StreamRange.ALL, sink)
                .done()
                .thenCompose(info -> outlets.decrypted(sink.bytes()))
                .whenComplete((value, failure) -> loop.execute(() -> {
                    if (failure == null) {
                        succeeded(fetch, value);
                    } else if (retries > 0 && isTransient(failure)) {
                        int left = outlets.heardNanos(fetch.executor) == heard ? retries : retries - 1;
                        loop.schedule(RETRY_WAIT, () -> attempt(fetch, left));
                    } else {
                        failed(fetch, failure);
                    }
                }));
    }

    private static boolean isTransient(Throwable failure) {
        return List.of(ErrorCode.PEER_LOST, ErrorCode.PEER_UNREACHABLE, ErrorCode.STREAM_DAMAGED)
                .contains(Failures.code(failure));
    }

    private void succeeded(Fetch fetch, Bytes bytes) {
        TaskEnd end = fetch.end;
        ended(fetch);
        outlets.drop(fetch.executor, end.task());
        outlets.tasksEnded(
                fetch.executor,
                List.of(TaskEnd.succeeded(
                        end.task(), new TaskResult.Encoded(bytes), end.metrics(), end.accumulated())));
    }

    private void failed(Fetch fetch, Throwable failure) {
        TaskEnd end = fetch.end;
        ended(fetch);
        outlets.drop(fetch.executor, end.task());
        String text = Failures.expecting(
                "result of " + end.value().weight() + " bytes: cannot be fetched from executor " + fetch.executor + ": "
                        + Failures.describe(failure),
                "available at the executor until the driver has fetched it");
        outlets.tasksEnded(
                fetch.executor,
                List.of(TaskEnd.ended(end.task(), TaskOutcome.FAILED, TaskFailure.of(text), end.metrics())));
    }

    private void ended(Fetch fetch) {
        bytesInFlight -= fetch.end.value().weight();
        startFetches();
    }

    /**
     * Receives the bytes of one task result into an array. Owned by the stream transfer of that result until the
     * transfer ends.
     */
    private static final class HeapSink implements StreamSink {
        private final long expected;
        private byte[] bytes = {};
        private int size;

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
                throw ErrorCode.MEMORY_EXHAUSTED.failure(
                        "the driver's heap is too full for the result (expected: free memory for the results of"
                                + " tasks); raise"
                                + " hearth.driver.memory (--driver-memory)",
                        full);
            }
        }

        @Override
        public void received(ByteBuffer part) {
            int count = part.remaining();
            part.get(bytes, size, count);
            size += count;
        }

        Bytes bytes() {
            return Bytes.owning(bytes);
        }
    }
}
