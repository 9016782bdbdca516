package dev.hearth.engine.internal.driver.serving;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.SpillingOutput;
import dev.hearth.engine.internal.disk.SpillingOutput.Written;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastFile;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.stream.StreamContent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Serves broadcast values to executors in other processes. Each value is serialised at the first request and then
 * served in chunks until it is dropped. A failed serialisation is retried at the next request. Thread-safe; guarded by
 * its own lock, which is not held during serialisation.
 */
public final class BroadcastServer {
    /**
     * The maximum size of a serialised broadcast value that is sent within the answer to an executor's request. Larger
     * values are written to a file and served in chunks.
     */
    private static final int INLINE_BYTES_MAX = 64 * 1024;

    /**
     * The maximum number of executors that an answer lists as further sources of the chunks. The executors that
     * requested the value last are listed.
     */
    private static final int HOLDERS_MAX = 32;

    private static final Pattern CHUNK = Pattern.compile("(\\d{1,18})/(\\d{1,9})");

    private final UserObjectSerializer objects;
    private final Supplier<TemporaryFiles> files;
    private final int chunkBytes;
    private final Executor serialising;
    private final Function<ExecutorId, Optional<BlockServerAddress>> holders;
    private final Map<Long, SerialisedBroadcast> offers = new LinkedHashMap<>(); // guarded by this

    /**
     * The serialised form of one broadcast value, and the last executors that requested the value, at most {@link
     * #HOLDERS_MAX}. Guarded by the lock of the server.
     */
    private static final class SerialisedBroadcast {
        private final CompletableFuture<Written> written = new CompletableFuture<>();
        private final Set<ExecutorId> askers = new LinkedHashSet<>(); // at most HOLDERS_MAX, the latest last
    }

    /**
     * Creates a server without values. {@code serialising} serialises values on the application's threads, because
     * serialisation runs application code. {@code holders} returns the block-server address of an executor, or empty if
     * the executor cannot be reached.
     */
    public BroadcastServer(
            UserObjectSerializer objects,
            Supplier<TemporaryFiles> files,
            int chunkBytes,
            Executor serialising,
            Function<ExecutorId, Optional<BlockServerAddress>> holders) {
        this.objects = objects;
        this.files = files;
        this.chunkBytes = chunkBytes;
        this.serialising = serialising;
        this.holders = holders;
    }

    /**
     * Answers a request of the executor {@code asker}. The answer has the broadcast value, or the number of its chunks
     * and the executors that may have them. Called on the driver's event loop.
     */
    CompletionStage<BroadcastAnswer> offer(long id, Object value, ExecutorId asker) {
        SerialisedBroadcast offer;
        boolean isNew;
        List<BlockServerAddress> before;
        synchronized (this) {
            isNew = !offers.containsKey(id);
            offer = offers.computeIfAbsent(id, missing -> new SerialisedBroadcast());
            offer.askers.remove(asker);
            before = reachable(offer.askers);
            offer.askers.add(asker); // added at the end, as the latest
            if (offer.askers.size() > HOLDERS_MAX) {
                offer.askers.remove(offer.askers.iterator().next());
            }
        }
        if (isNew) {
            write(id, value, offer);
        }
        CompletionStage<Written> written = offer.written;
        return written.thenApply(done -> answer(done, before));
    }

    /**
     * The block-server addresses of those executors that have requested a value ({@code askers}) and can still be
     * reached. Removes the unreachable executors from {@code askers}.
     */
    private List<BlockServerAddress> reachable(Set<ExecutorId> askers) {
        List<BlockServerAddress> reachable = new ArrayList<>();
        askers.removeIf(executor -> {
            Optional<BlockServerAddress> holder = holders.apply(executor);
            holder.ifPresent(reachable::add);
            return holder.isEmpty();
        });
        return List.copyOf(reachable);
    }

    private BroadcastAnswer answer(Written written, List<BlockServerAddress> before) {
        return new BroadcastAnswer(
                written.inline(),
                written.file()
                        .map(segment -> new BroadcastFile(
                                segment.file(), written.bytes(), chunkBytes, written.checksum(), before)));
    }

    private void write(long id, Object value, SerialisedBroadcast offer) {
        try {
            serialising.execute(() -> {
                try {
                    complete(id, offer, written(value, "broadcast " + id));
                } catch (Throwable failure) { // catches Errors too, because an executor waits for the answer
                    fail(id, offer, failure);
                }
            });
        } catch (RuntimeException refused) { // the threads accept no more work, because the application ends
            fail(id, offer, refused);
        }
    }

    private Written written(Object value, String subject) {
        SpillingOutput out = new SpillingOutput(INLINE_BYTES_MAX, files, subject);
        try {
            objects.writeTo(out, value, subject);
            return out.finish();
        } catch (HearthException failure) {
            throw out.refusal().orElse(failure);
        } finally {
            out.abandon(); // has no effect after finish
        }
    }

    private void complete(long id, SerialisedBroadcast offer, Written written) {
        offer.written.complete(written);
        boolean wanted;
        synchronized (this) {
            wanted = offers.get(id) == offer;
        }
        if (!wanted) {
            delete(offer);
        }
    }

    private void fail(long id, SerialisedBroadcast offer, Throwable failure) {
        synchronized (this) {
            offers.remove(id, offer);
        }
        offer.written.completeExceptionally(failure);
    }

    /**
     * Drops the serialised form of a broadcast value and its chunks. Returns false if no executor in another process
     * has requested the value.
     */
    boolean drop(long id) {
        SerialisedBroadcast offer;
        synchronized (this) {
            offer = offers.remove(id);
        }
        if (offer != null) {
            delete(offer);
        }
        return offer != null;
    }

    private static void delete(SerialisedBroadcast offer) {
        if (offer.written.isDone() && !offer.written.isCompletedExceptionally()) {
            offer.written.join().file().ifPresent(PartitionedFile::delete);
        }
    }

    /**
     * The content of one chunk of a serialised broadcast value. {@code name} has the numbers of the broadcast and the
     * chunk. Empty if the chunk is not available.
     */
    Optional<StreamContent> chunk(String name) {
        Matcher numbers = CHUNK.matcher(name);
        if (!numbers.matches()) {
            return Optional.empty();
        }
        SerialisedBroadcast offer;
        synchronized (this) {
            offer = offers.get(Long.parseLong(numbers.group(1)));
        }
        if (offer == null || !offer.written.isDone() || offer.written.isCompletedExceptionally()) {
            return Optional.empty();
        }
        int chunk = Integer.parseInt(numbers.group(2));
        return answer(offer.written.join(), List.of())
                .file()
                .filter(file -> chunk < file.chunks())
                .map(file -> new StreamContent.FilePart(
                        Path.of(file.file()),
                        file.offset(chunk),
                        file.bytes(chunk),
                        Long.toHexString(file.checksum())));
    }
}
