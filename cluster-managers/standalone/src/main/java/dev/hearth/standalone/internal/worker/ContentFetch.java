package dev.hearth.standalone.internal.worker;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import dev.hearth.spi.stream.Transfer;
import dev.hearth.standalone.internal.contents.HeldContents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetch of the files of one driver: for each one, the check whether it is here, the transfer from the master with retries
 * after lost connections, and the check of its hash; then all are placed. Owned by the loop of {@link ContentFetches};
 * any thread may cancel.
 */
final class ContentFetch implements DriverFiles.Fetch {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Worker");
    /** Attempts in a row to transfer one file that bring no byte. */
    private static final int ATTEMPTS_MAX = 5;

    private static final Duration RETRY_FIRST = Duration.ofMillis(200);
    private static final Set<ErrorCode> RETRYABLE =
            Set.of(ErrorCode.PEER_LOST, ErrorCode.PEER_UNREACHABLE, ErrorCode.STREAM_DAMAGED, ErrorCode.TOO_MANY_ASKS);

    private final DriverFiles.Request request;
    private final ContentFetches fetches;
    private final EventLoop disk;
    private final PlacedContents placed;
    private final Queue<ContentAddress> missing;
    private final CompletableFuture<Map<ContentAddress, Path>> done = new CompletableFuture<>();
    private boolean cancelled;
    private int attempts;
    private long reached;
    private long fetchedBytes;
    private @Nullable Transfer transfer;

    ContentFetch(DriverFiles.Request request, ContentFetches fetches) {
        this.request = request;
        this.fetches = fetches;
        this.placed = new PlacedContents(request);
        this.disk = fetches.disk();
        this.missing = new ArrayDeque<>(request.contents());
    }

    @Override
    public CompletionStage<Map<ContentAddress, Path>> done() {
        return done;
    }

    @Override
    public void cancel() {
        disk.execute(() -> {
            cancelled = true;
            if (transfer != null) {
                transfer.abort();
            }
            if (done.isDone() && !done.isCompletedExceptionally()) {
                step(placed::remove);
            }
            fail(killed());
        });
    }

    void begin() {
        step(this::next);
    }

    private void next() throws IOException {
        HeldContents contents = fetches.contents();
        for (ContentAddress content = missing.peek(); content != null; content = missing.peek()) {
            if (cancelled) {
                return;
            }
            if (contents.findIntact(content.content()).isEmpty()) {
                if (fetches.enter(content, this::begin)) {
                    attempts = 0;
                    reached = 0;
                    attempt(content);
                }
                return;
            }
            missing.remove();
        }
        if (!cancelled) {
            Map<ContentAddress, Path> places = placed.place(contents);
            LOG.info(
                    "{}: has its {} uploaded files, {} bytes of which were fetched now",
                    request.driver(),
                    places.size(),
                    fetchedBytes);
            done.complete(places);
        }
    }

    private void attempt(ContentAddress content) throws IOException {
        ContentStore.Incoming incoming;
        try {
            incoming = fetches.contents().receive(content.content(), content.bytes());
        } catch (IOException | RuntimeException failure) {
            fetches.leave(content);
            throw failure;
        }
        long offset = incoming.bytesHere();
        Sink sink = new Sink(incoming);
        if (offset == content.bytes()) {
            ended(content, sink, null);
            return;
        }
        Transfer begun = fetches.streams()
                .fetch(
                        request.master(),
                        HeldContents.STREAMS + "/" + content.content(),
                        StreamRange.rest(offset, content.content().sha256()),
                        sink);
        transfer = begun;
        begun.done().whenComplete((info, failure) -> disk.execute(() -> step(() -> ended(content, sink, failure))));
    }

    private void ended(ContentAddress content, Sink sink, @Nullable Throwable failure) throws IOException {
        transfer = null;
        Throwable why = failure;
        if (why == null) {
            try {
                sink.finish();
                fetchedBytes += sink.received();
            } catch (IOException full) {
                sink.close();
                fetches.leave(content);
                throw full;
            } catch (HearthException damaged) {
                why = damaged;
            }
        }
        long now = sink.close();
        if (why == null || cancelled) {
            fetches.leave(content);
            next();
            return;
        }
        attempts = now > reached ? 1 : attempts + 1;
        reached = now;
        if (attempts >= ATTEMPTS_MAX || !RETRYABLE.contains(Failures.code(why))) {
            fetches.leave(content);
            throw Failures.asHearth(why, ErrorCode.INTERNAL, content.name());
        }
        LOG.debug("{}: {} is fetched again after {}", request.driver(), content.name(), why.getMessage());
        disk.schedule(RETRY_FIRST.multipliedBy(1L << attempts), () -> step(() -> again(content)));
    }

    private void again(ContentAddress content) throws IOException {
        if (cancelled) {
            fetches.leave(content);
        } else {
            attempt(content);
        }
    }

    private void step(Step step) {
        try {
            step.run();
        } catch (IOException failure) {
            fail(ErrorCode.DISK_FAILED.failure(
                    "uploaded files of " + request.driver() + ": cannot be stored on this worker, " + failure
                            + " (expected: space in its work directory); make room there, or use another worker",
                    failure));
        } catch (RuntimeException failure) {
            fail(Failures.asHearth(failure, ErrorCode.INTERNAL, "uploaded files of " + request.driver()));
        }
    }

    private void fail(HearthException failure) {
        done.completeExceptionally(failure);
    }

    private HearthException killed() {
        return ErrorCode.TRANSFER_ABORTED.failure("uploaded files of " + request.driver()
                + ": not fetched, because the driver was killed (expected: a driver that is to run)");
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Receiver of the bytes of one attempt. Guarded by its own lock, because an aborted transfer may still write. */
    private static final class Sink implements StreamSink {
        private final ContentStore.Incoming incoming;
        private final long begin;
        private boolean closed;

        Sink(ContentStore.Incoming incoming) {
            this.incoming = incoming;
            this.begin = incoming.bytesHere();
        }

        @Override
        public synchronized void received(ByteBuffer bytes) throws IOException {
            if (!closed) {
                incoming.write(bytes);
            }
        }

        synchronized void finish() throws IOException {
            incoming.finish();
        }

        synchronized long received() {
            return incoming.bytesHere() - begin;
        }

        /** Closes the content; returns how many of its bytes are here. */
        synchronized long close() {
            long here = incoming.bytesHere();
            if (!closed) {
                closed = true;
                incoming.close();
            }
            return here;
        }
    }
}
