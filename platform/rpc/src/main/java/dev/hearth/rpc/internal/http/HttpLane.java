package dev.hearth.rpc.internal.http;

import dev.hearth.rpc.internal.connect.ConnectionLimiter;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * HTTP server on the port of one RPC environment. It takes over connections whose first bytes are HTTP. It routes
 * requests to the handlers of the environment, and to handlers that bundles register as OSGi services. Owned by its
 * environment and closed with it. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed close is also a channel event
public final class HttpLane implements AutoCloseable {
    /**
     * Divisor of the maximum heap size. The quotient bounds the request bodies in memory, though one body of maximum
     * size is always allowed. It also bounds the responses in memory, unless a setting does.
     */
    private static final int HEAP_PARTS = 4;

    private final RouteTable own = new RouteTable();
    private final AtomicLong mounted = new AtomicLong();
    private final HttpServices services;
    private final LongSupplier ids;
    private final Map<Long, Open> connections = new ConcurrentSkipListMap<>();
    private volatile boolean closed;

    /**
     * Creates the HTTP server of one RPC environment; {@code ids} supplies the ids of its connections. No thread starts
     * before the first request.
     */
    public HttpLane(
            HttpLaneSettings conditions, HttpWhiteboard whiteboard, LongSupplier ids, ConnectionLimiter connections) {
        this(conditions, whiteboard, ids, connections, HandlerPool.ofThreads(Ticker.system()), Ticker.system());
    }

    HttpLane(
            HttpLaneSettings conditions,
            HttpWhiteboard whiteboard,
            LongSupplier ids,
            ConnectionLimiter limiter,
            HandlerPool pool,
            Ticker ticker) {
        this.ids = ids;
        BuiltInPages pages = new BuiltInPages(conditions);
        List<RouteTable> routes = List.of(own, whiteboard.routes());
        RpcLimits limits = conditions.settings().limits();
        long bodyBytesMax = limits.httpBodyBytesMax();
        long heapPart = Runtime.getRuntime().maxMemory() / HEAP_PARTS;
        long responses = limits.httpResponseBytesMax();
        this.services = new HttpServices(
                new RequestRouter(conditions, whiteboard.gates(), () -> routes, pages, bodyBytesMax),
                pages,
                new ResponseRenderer(),
                pool,
                new BodyBudget(Math.max(bodyBytesMax, heapPart)),
                new ResponseMemory(
                        responses > 0 ? responses : heapPart,
                        conditions.settings().times().responseStall(),
                        ticker),
                new HandlerAnswerSizes(),
                limiter,
                new HttpCounters(),
                conditions.settings().times(),
                ticker);
    }

    /**
     * Serves requests below {@code prefix} until the returned registration is closed. Requests that are then in
     * progress still complete.
     */
    public Registration serve(String prefix, HttpHandler handler) {
        Mount mount = new Mount(
                prefix,
                handler,
                false,
                handler.bodyBytesMax(),
                mounted.incrementAndGet(),
                handler.getClass().getName());
        own.add(mount);
        return () -> own.remove(mount);
    }

    /**
     * Takes over a connection whose first bytes look like HTTP; the pipeline delivers these bytes afterwards.
     * {@code security} describes the protection of the connection; {@code secure} states whether the pipeline encrypts.
     * Called on the connection's event loop.
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

    /** The open connections. */
    public List<PeerState> peers() {
        return connections.values().stream()
                .map(open -> open.connection().state(open.security()))
                .toList();
    }

    /** Returns the counts since the server was opened, and the present numbers, for example of connections. */
    public Counts counts() {
        HttpCounters counters = services.counters();
        return new Counts(
                counters.requests(),
                counters.failures(),
                counters.slowListeners(),
                connections.size(),
                services.pool().waiting(),
                services.pool().abandoned(),
                services.bodies().bytes(),
                services.responses().bytes(),
                services.responses().disconnected());
    }

    /**
     * Closes event streams and idle connections now, and other connections after their current response. Does not wait
     * for them.
     */
    @Override
    public void close() {
        closed = true;
        connections.values().forEach(open -> open.connection().end());
        services.pool().close();
    }

    /**
     * Snapshot of the metrics of the HTTP server. Counted since its start: requests; responses with status 500 or
     * above; event clients disconnected because they read too slowly; {@code stalledClients}, disconnected because they
     * read nothing while the memory for responses was used up. At the moment: connections; requests that wait for a
     * thread; abandoned handler calls; bytes of request bodies and of responses in memory.
     */
    public record Counts(
            long requests,
            long failures,
            long slowListeners,
            int connections,
            int waiting,
            int abandoned,
            long bodyBytes,
            long responseBytes,
            long stalledClients) {}

    private record Open(HttpConnection connection, String security) {}
}
