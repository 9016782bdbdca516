package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.protocol.ExecutorProtocol.BlockServerAddress;
import dev.hearth.engine.internal.protocol.ReplicationProtocol;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.shuffle.SegmentProtocol;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import dev.hearth.spi.stream.StreamInfo;
import dev.hearth.spi.stream.StreamRange;
import dev.hearth.spi.stream.StreamSink;
import dev.hearth.spi.stream.Transfer;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Client by which one executor sends requests to the other executors from which it fetches. Requests and transfers are
 * retried a bounded number of times while the connection fails. They fail at once when the driver reports the other
 * executor as lost. A caller cancels by completing the returned future. Any thread may call.
 */
final class FetchClient {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    // maximum number of remembered ids of lost executors; ids are never reused
    private static final int GONE_MAX = 10_000;

    private final RpcScope scope;
    private final Optional<RpcScope> services; // of the shuffle services of this application
    private final EventLoop loop;
    private final FetchSettings settings;
    private final Map<ExecutorEndpoint, EndpointRef> refs = new ConcurrentHashMap<>();
    private final Map<ExecutorId, Set<CompletableFuture<?>>> underWay = new ConcurrentHashMap<>();
    private final Set<ExecutorId> gone = new LinkedHashSet<>(); // guarded by itself

    FetchClient(RpcScope scope, Optional<RpcScope> services, EventLoop loop, FetchSettings settings) {
        this.scope = scope;
        this.services = services;
        this.loop = loop;
        this.settings = settings;
    }

    int retries() {
        return settings.retries();
    }

    /**
     * One attempt of a request that may be retried: {@code done} completes with its answer, and {@code cancel} cancels
     * it.
     */
    private record Attempt<T>(CompletionStage<T> done, Runnable cancel) {}

    /** Name of an endpoint on one executor, used as the key of endpoint refs. */
    private record ExecutorEndpoint(ExecutorId executor, String endpoint) {}

    /**
     * Sends a request about map outputs to the executor {@code holder}, such as which segments it has. Uses the
     * endpoint for blocks.
     */
    <R extends Record> CompletableFuture<R> ask(BlockServerAddress holder, Record question, Class<R> answer) {
        return ask(holder, SegmentProtocol.ENDPOINT, SegmentProtocol.PROTOCOL, question, answer);
    }

    /**
     * Asks the executor {@code holder} to verify a file on its disk. Uses a separate endpoint, because such an answer
     * is slow and must not delay others.
     */
    <R extends Record> CompletableFuture<R> askCheck(BlockServerAddress holder, Record question, Class<R> answer) {
        return ask(holder, SegmentProtocol.CHECKS, SegmentProtocol.PROTOCOL, question, answer);
    }

    /**
     * Asks the executor {@code holder} about a block or map output that this executor wants to copy. Uses the endpoint
     * of {@link ReplicationProtocol}.
     */
    <R extends Record> CompletableFuture<R> askCopy(BlockServerAddress holder, Record question, Class<R> answer) {
        return ask(holder, ReplicationProtocol.ENDPOINT, ReplicationProtocol.PROTOCOL, question, answer);
    }

    private <R extends Record> CompletableFuture<R> ask(
            BlockServerAddress holder, String endpoint, Protocol protocol, Record question, Class<R> answer) {
        return withRetries(
                holder,
                () -> new Attempt<>(
                        refs.computeIfAbsent(
                                        new ExecutorEndpoint(holder.executor(), endpoint),
                                        asked ->
                                                scope(holder).ref(new EndpointUri(endpoint, address(holder)), protocol))
                                .ask(question, answer, ANSWER_TIMEOUT),
                        () -> {}),
                settings.retries());
    }

    /**
     * Fetches the stream {@code name} completely. {@code sink} supplies a new sink for each attempt, that is, for each
     * retry too.
     */
    CompletableFuture<StreamInfo> fetch(BlockServerAddress holder, String name, Supplier<? extends StreamSink> sink) {
        return fetch(holder, name, StreamRange.ALL, sink);
    }

    /**
     * Fetches the stream {@code name} completely, with at most {@code retries} retries instead of the configured
     * number.
     */
    CompletableFuture<StreamInfo> fetch(
            BlockServerAddress holder, String name, Supplier<? extends StreamSink> sink, int retries) {
        return fetch(holder, name, StreamRange.ALL, sink, retries);
    }

    CompletableFuture<StreamInfo> fetch(
            BlockServerAddress holder, String name, StreamRange range, Supplier<? extends StreamSink> sink) {
        return fetch(holder, name, range, sink, settings.retries());
    }

    private CompletableFuture<StreamInfo> fetch(
            BlockServerAddress holder,
            String name,
            StreamRange range,
            Supplier<? extends StreamSink> sink,
            int retries) {
        return withRetries(
                holder,
                () -> {
                    Transfer transfer = scope(holder).streams().fetch(address(holder), name, range, sink.get());
                    return new Attempt<>(transfer.done(), transfer::abort);
                },
                retries);
    }

    /** The scope in which {@code holder}, an executor or a shuffle service, serves this application. */
    private RpcScope scope(BlockServerAddress holder) {
        return ShuffleServiceOrders.isService(holder.executor())
                ? services.orElseThrow(() -> ErrorCode.PEER_UNREACHABLE.failure("shuffle service " + holder.executor()
                        + " on " + holder.host() + ": not known to this executor (expected: in its start parameters)"))
                : scope;
    }

    private static RpcAddress address(BlockServerAddress holder) {
        return RpcAddress.parse(holder.address())
                .orElseThrow(() -> ErrorCode.PEER_UNREACHABLE.failure("executor " + holder.executor() + " on "
                        + holder.host() + ": has no address (expected: an executor that serves its blocks)"));
    }

    @SuppressWarnings("CollectionUndefinedEquality") // pending requests are compared by identity
    private <T> CompletableFuture<T> withRetries(BlockServerAddress holder, Supplier<Attempt<T>> attempt, int retries) {
        CompletableFuture<T> result = new CompletableFuture<>();
        ExecutorId executor = holder.executor();
        Set<CompletableFuture<?>> waiting =
                underWay.computeIfAbsent(executor, missing -> ConcurrentHashMap.newKeySet());
        waiting.add(result);
        atEnd(result, () -> waiting.remove(result));
        if (isGone(executor)) {
            // checked after the request was added to `underWay`, because the executor may have been lost just before
            underWay.remove(executor); // all other requests to the lost executor fail too
            result.completeExceptionally(lost(executor));
        } else {
            attempt(attempt, retries, result);
        }
        return result;
    }

    private static void atEnd(CompletionStage<?> stage, Runnable action) {
        stage.whenComplete((value, failure) -> action.run());
    }

    private <T> void attempt(Supplier<Attempt<T>> attempt, int retries, CompletableFuture<T> result) {
        Attempt<T> running;
        try {
            running = attempt.get();
        } catch (RuntimeException refused) {
            result.completeExceptionally(refused);
            return;
        }
        atEnd(result, running.cancel()); // cancels the attempt, if it has not finished
        running.done().whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else if (retries > 0 && isTransient(failure) && !result.isDone()) {
                loop.schedule(settings.retryWait(), () -> {
                    if (!result.isDone()) {
                        attempt(attempt, retries - 1, result);
                    }
                });
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    /**
     * Whether a retry may succeed: {@code failure} is due to the connection, a busy endpoint or bytes damaged on the
     * way, and not to the request.
     */
    private static boolean isTransient(Throwable failure) {
        ErrorCode code = Failures.code(Failures.unwrap(failure));
        return List.of(
                        ErrorCode.PEER_LOST,
                        ErrorCode.PEER_UNREACHABLE,
                        ErrorCode.ASK_TIMED_OUT,
                        ErrorCode.ENDPOINT_BUSY,
                        ErrorCode.STREAM_DAMAGED)
                .contains(code);
    }

    /** Fails all present and later requests to an executor that is permanently lost. */
    void gone(ExecutorId executor) {
        synchronized (gone) {
            gone.add(executor);
            if (gone.size() > GONE_MAX) {
                gone.remove(gone.iterator().next());
            }
        }
        refs.keySet().removeIf(asked -> asked.executor().equals(executor));
        Set<CompletableFuture<?>> waiting = underWay.remove(executor);
        if (waiting != null) {
            List.copyOf(waiting).forEach(each -> each.completeExceptionally(lost(executor)));
        }
    }

    private boolean isGone(ExecutorId executor) {
        synchronized (gone) {
            return gone.contains(executor);
        }
    }

    private static RuntimeException lost(ExecutorId executor) {
        return ErrorCode.PEER_LOST.failure("executor " + executor
                + ": lost (expected: alive while its output is read); its map tasks" + " are run again");
    }
}
