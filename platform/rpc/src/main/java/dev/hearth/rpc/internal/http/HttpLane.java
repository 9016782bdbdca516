package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * HTTP on the port of one env: takes connections over once their first bytes were HTTP, and answers by the handlers of
 * its env and those of the whiteboard. Owned by its env, ends with it; any thread may call.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed closes come back as events of the channel
public final class HttpLane implements AutoCloseable {
    /** Bodies of requests under way may hold this part of the heap, and one of the longest in any case. */
    private static final int HEAP_PARTS = 4;

    private final RouteTable own = new RouteTable();
    private final AtomicLong mounted = new AtomicLong();
    private final HttpServices services;
    private final LongSupplier ids;
    private final Map<Long, Open> connections = new ConcurrentSkipListMap<>();
    private volatile boolean closed;

    /** Opens a lane whose connections get their numbers of {@code ids}. Starts no thread before the first request. */
    public HttpLane(HttpLaneSettings conditions, HttpWhiteboard whiteboard, LongSupplier ids) {
        this(conditions, whiteboard, ids, HandlerPool.ofThreads(Ticker.system()), Ticker.system());
    }

    HttpLane(
            HttpLaneSettings conditions, HttpWhiteboard whiteboard, LongSupplier ids, HandlerPool pool, Ticker ticker) {
        this.ids = ids;
        BuiltInPages pages = new BuiltInPages(conditions);
        List<RouteTable> routes = List.of(own, whiteboard.routes());
        long bodyBytesMax = conditions.settings().limits().httpBodyBytesMax();
        this.services = new HttpServices(
                new RequestRouter(new RequestAuthorization(conditions), () -> routes, pages, bodyBytesMax),
                pages,
                new ResponseRenderer(),
                pool,
                new BodyBudget(Math.max(bodyBytesMax, Runtime.getRuntime().maxMemory() / HEAP_PARTS)),
                new HttpCounters(),
                conditions.settings().times(),
                ticker);
    }

    /** Answers requests below {@code prefix} until the registration is closed; those under way then finish. */
    public Registration serve(String prefix, HttpHandler handler) {
        Mount mount = new Mount(
                prefix,
                handler,
                false,
                OptionalInt.empty(),
                0,
                mounted.incrementAndGet(),
                handler.getClass().getName());
        own.add(mount);
        return () -> own.remove(mount);
    }

    /**
     * Takes a connection over whose first bytes, which follow, look like HTTP. On its event loop; {@code security} says
     * in words how it is secured, {@code secure} whether something in the pipeline encrypts it.
     */
    public void accepted(Channel channel, boolean secure, String security, String remote) {
        HttpConnection connection = new HttpConnection(ids.getAsLong(), channel, secure, remote, services);
        Open open = new Open(connection, security);
        long number = mounted.incrementAndGet();
        connections.put(number, open);
        channel.closeFuture().addListener(ended -> connections.remove(number));
        connection.begin();
        if (closed) {
            channel.close();
        }
    }

    /** The connections that are open. */
    public List<PeerState> peers() {
        return connections.values().stream()
                .map(open -> open.connection().state(open.security()))
                .toList();
    }

    /** What was done since the lane was opened. */
    public Counts counts() {
        HttpCounters counters = services.counters();
        return new Counts(
                counters.requests(),
                counters.failures(),
                counters.slowListeners(),
                connections.size(),
                services.pool().waiting(),
                services.pool().abandoned(),
                services.bodies().bytes());
    }

    /** Ends event streams and idle connections now, others behind the answer under way. Does not wait. */
    @Override
    public void close() {
        closed = true;
        connections.values().forEach(open -> open.connection().end());
        services.pool().close();
    }

    /**
     * Numbers for meters: requests, those answered with 500 and above, listeners that were cut off as too slow; and as of
     * now connections, requests that wait for a thread, calls of handlers that have not come back, and bytes of bodies held.
     */
    public record Counts(
            long requests,
            long failures,
            long slowListeners,
            int connections,
            int waiting,
            int abandoned,
            long bodyBytes) {}

    private record Open(HttpConnection connection, String security) {}
}
