package dev.hearth.rpc.internal.bulk;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.spi.stream.StreamEntry;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamProvider;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import dev.hearth.spi.stream.Streams;
import dev.hearth.spi.stream.Transfer;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Serves and requests the bulk data of one scope (the namespace of one application): streams, listings and uploads.
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed write or close is also a channel event
public final class BulkStreams implements Streams, AutoCloseable {
    private final BulkServices services;
    private final EventLoopGroup group;
    private final ServedStreams served = new ServedStreams();
    private final BulkConnectionPool connections;
    private final Set<BulkConnection> accepted = ConcurrentHashMap.newKeySet();
    private final Set<Path> downloads = ConcurrentHashMap.newKeySet();
    // running transfers, by a number that is local to this process
    private final Map<Long, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();
    private final AtomicLong begun = new AtomicLong();
    private volatile boolean closed;

    BulkStreams(BulkConnector opener, BulkServices services, EventLoopGroup group) {
        this.services = services;
        this.group = group;
        this.connections = new BulkConnectionPool(opener, services, group.next());
    }

    @Override
    public Registration serve(String prefix, StreamProvider provider) {
        return served.serve(prefix, provider);
    }

    @Override
    public Transfer fetch(RpcAddress from, String name, StreamRange range, StreamSink sink) {
        try {
            BulkRequest.Fetch request = new BulkRequest.Fetch(StreamNames.require(name), range);
            return submit(new FetchExchange(from, request, range, sink));
        } catch (HearthException refused) {
            return new RefusedTransfer(refused);
        }
    }

    @Override
    public CompletionStage<StreamInfo> download(RpcAddress from, String name, Path target) {
        Path file = target.toAbsolutePath().normalize();
        if (!downloads.add(file)) {
            return CompletableFuture.failedStage(ErrorCode.BAD_ARGUMENT.failure(
                    "download to " + file + ": another download to this file has not ended (expected: one download"
                            + " per file at a time); wait until it has ended"));
        }
        Download download = new Download(
                "download of " + StreamNames.shown(name) + " of " + from,
                file,
                (range, sink) -> fetch(from, name, range, sink).done(),
                new DiskSteps(),
                attempts());
        return track(download.start()).whenComplete((info, failure) -> downloads.remove(file));
    }

    @Override
    public CompletionStage<List<StreamEntry>> list(RpcAddress from, String directory) {
        DirectoryListings.Collector collector = new DirectoryListings.Collector();
        BulkRequest.Listing request;
        try {
            request = new BulkRequest.Listing(StreamNames.requireDirectory(directory));
        } catch (HearthException refused) {
            return CompletableFuture.failedStage(refused);
        }
        CompletableFuture<List<StreamEntry>> listed = new CompletableFuture<>();
        // decoded on a disk thread, because a long listing is too much work for an I/O thread
        DiskSteps steps = new DiskSteps();
        submit(new FetchExchange(from, request, StreamRange.ALL, collector))
                .done()
                .whenComplete((info, failure) -> steps.now(() -> {
                    try {
                        if (failure == null) {
                            listed.complete(collector.entries());
                        } else {
                            listed.completeExceptionally(failure);
                        }
                    } catch (HearthException malformed) {
                        listed.completeExceptionally(malformed);
                    }
                }));
        return track(listed);
    }

    @Override
    public Registration accept(ContentStore store) {
        return served.accept(store);
    }

    @Override
    public CompletionStage<ContentId> upload(RpcAddress to, Path file) {
        return upload(to, file, Optional.empty(), sent -> {});
    }

    @Override
    public CompletionStage<ContentId> upload(RpcAddress to, Path file, ContentId content, LongConsumer progress) {
        return upload(to, file, Optional.of(content), progress);
    }

    private CompletionStage<ContentId> upload(
            RpcAddress to, Path file, Optional<ContentId> known, LongConsumer progress) {
        Upload upload = new Upload(
                file.toAbsolutePath(),
                known,
                services.checksums(),
                (offer, content) -> submit(new UploadExchange(to, offer, content, services.checksums(), progress)),
                new DiskSteps(),
                attempts());
        return track(upload.start());
    }

    /**
     * Serves a connection that was accepted for this scope. Moves the channel to an event loop for bulk data, unless it
     * is on one already. Called on the connection's event loop; the pipeline contains at most the TLS handler.
     */
    public void accepted(Channel channel, String remote) {
        BulkServerConnection connection =
                new BulkServerConnection(remote, BulkLane.security(channel), served, services, new Accepted());
        channel.pipeline().addLast("bulk", connection);
        EventLoopSwitch.to(group, channel, connection::start, connection::notMoved);
    }

    /** Name prefixes for which stream providers are registered. */
    public List<String> prefixes() {
        return served.prefixes();
    }

    public List<BulkSnapshot> snapshots() {
        List<BulkSnapshot> all = new ArrayList<>(connections.snapshots());
        accepted.forEach(connection -> all.add(connection.snapshot()));
        return all;
    }

    @Override
    public void close() {
        closed = true;
        served.close();
        connections.close();
        accepted.forEach(BulkConnection::close);
        underWay.values().forEach(this::failClosed);
    }

    private <E extends BulkExchange> E submit(E exchange) {
        connections.submit(exchange);
        return exchange;
    }

    private RetryBackoff attempts() {
        return new RetryBackoff(
                services.times().reconnectFirst(), services.times().reconnectLast());
    }

    /**
     * Registers the future result {@code stage} of a download, upload or listing. It fails when the scope closes, even
     * between two attempts of the transfer. Returns {@code stage} as a future.
     */
    private <T> CompletionStage<T> track(CompletionStage<T> stage) {
        CompletableFuture<T> tracked = stage.toCompletableFuture();
        long number = begun.incrementAndGet();
        underWay.put(number, tracked);
        tracked.whenComplete((value, failure) -> underWay.remove(number));
        if (closed) {
            failClosed(tracked);
        }
        return tracked;
    }

    private void failClosed(CompletableFuture<?> stage) {
        stage.completeExceptionally(
                ErrorCode.PEER_LOST.failure("transfer: this process closed the RPC scope (expected: an open scope)"));
    }

    /** Failed transfer, returned for a fetch that was refused before it started. */
    private record RefusedTransfer(HearthException why) implements Transfer {
        @Override
        public CompletionStage<StreamInfo> done() {
            return CompletableFuture.failedStage(why);
        }

        @Override
        public void pause() {
            // no bytes arrive
        }

        @Override
        public void resume() {
            // no bytes arrive
        }

        @Override
        public void abort() {
            // nothing to do: the transfer has failed already
        }
    }

    private final class Accepted implements BulkConnection.Owner {
        @Override
        public void opened(BulkConnection connection) {
            accepted.add(connection);
            if (closed) {
                connection.close();
            }
        }

        @Override
        public void closed(BulkConnection connection) {
            accepted.remove(connection);
        }
    }

    /**
     * Runs the steps of downloads and uploads, such as hashing a file or starting an attempt, on the disk threads. Once
     * the RPC environment is closed, drops further steps, because the transfers have failed.
     */
    private final class DiskSteps implements Download.Steps {
        @Override
        public boolean now(Runnable step) {
            try {
                services.disk().execute(step);
                return true;
            } catch (RejectedExecutionException ended) {
                close();
                return false;
            }
        }

        @Override
        public void later(Duration delay, Runnable step) {
            try {
                group.schedule(step, delay.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException ended) {
                close();
            }
        }
    }
}
