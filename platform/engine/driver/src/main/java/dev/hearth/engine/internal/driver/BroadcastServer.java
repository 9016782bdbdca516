package dev.hearth.engine.internal.driver;

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
 * Broadcast values for executors in other processes: each is written once, when one first asks, and served in chunks until it is
 * dropped. Any thread may call; guarded by itself, never held while a value is written. What could not be written is tried again
 * by who asks next.
 */
final class BroadcastServer {
    /** Beyond that a value goes by way of a file. */
    private static final int INLINE_BYTES_MAX = 64 * 1024;

    /** Of those that asked before, how many are told to one that asks; the latest. */
    private static final int HOLDERS_MAX = 32;

    private static final Pattern CHUNK = Pattern.compile("(\\d{1,18})/(\\d{1,9})");

    private final UserObjectSerializer objects;
    private final Supplier<TemporaryFiles> files;
    private final int chunkBytes;
    private final Executor writing;
    private final Function<ExecutorId, Optional<BlockServerAddress>> holders;
    private final Map<Long, SerialisedBroadcast> offers = new LinkedHashMap<>(); // guarded by this

    /** A value, and who asked for it last; guarded by the whole. */
    private static final class SerialisedBroadcast {
        private final CompletableFuture<Written> written = new CompletableFuture<>();
        private final Set<ExecutorId> askers = new LinkedHashSet<>(); // no more than are told, the latest last
    }

    /** {@code writing} is the application's, for its code runs there; {@code holders} tells where executors serve what they have. */
    BroadcastServer(
            UserObjectSerializer objects,
            Supplier<TemporaryFiles> files,
            int chunkBytes,
            Executor writing,
            Function<ExecutorId, Optional<BlockServerAddress>> holders) {
        this.objects = objects;
        this.files = files;
        this.chunkBytes = chunkBytes;
        this.writing = writing;
        this.holders = holders;
    }

    /** Says to {@code asker} where it finds the value of a broadcast. On the driver's loop. */
    CompletionStage<BroadcastAnswer> offer(long id, Object value, ExecutorId asker) {
        SerialisedBroadcast offer;
        boolean isNew;
        List<BlockServerAddress> before;
        synchronized (this) {
            isNew = !offers.containsKey(id);
            offer = offers.computeIfAbsent(id, missing -> new SerialisedBroadcast());
            offer.askers.remove(asker);
            before = there(offer.askers);
            offer.askers.add(asker); // as the latest
            if (offer.askers.size() > HOLDERS_MAX) {
                offer.askers.remove(offer.askers.iterator().next());
            }
        }
        if (isNew) {
            write(id, value, offer);
        }
        CompletionStage<Written> coming = offer.written;
        return coming.thenApply(written -> answer(written, before));
    }

    /** Those that can still be reached; the others are taken out. */
    private List<BlockServerAddress> there(Set<ExecutorId> askers) {
        List<BlockServerAddress> there = new ArrayList<>();
        askers.removeIf(executor -> {
            Optional<BlockServerAddress> holder = holders.apply(executor);
            holder.ifPresent(there::add);
            return holder.isEmpty();
        });
        return List.copyOf(there);
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
            writing.execute(() -> {
                try {
                    complete(id, offer, written(value, "broadcast " + id));
                } catch (Throwable failure) { // an Error too: somebody waits
                    fail(id, offer, failure);
                }
            });
        } catch (RuntimeException refused) { // the application ends
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
            out.abandon(); // nothing, once it is finished
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

    /** Nobody will ask for it any more; tells whether anybody ever has. */
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

    /** One chunk, by the name that it is served under. */
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
