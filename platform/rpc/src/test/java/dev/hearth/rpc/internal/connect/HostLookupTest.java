package dev.hearth.rpc.internal.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcLimits;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcSnapshot.Lane;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.time.Ticker;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioIoHandler;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Slow and unreachable host names, over sockets of this machine. */
@SuppressWarnings("FutureReturnValueIgnored") // threads that end by themselves
class HostLookupTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final LaneRouter.ScopeKey SCOPE = new LaneRouter.ScopeKey("process", Optional.empty());

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Map<String, CompletableFuture<List<String>>> names = new ConcurrentHashMap<>();
    private final AtomicInteger lookups = new AtomicInteger();
    private final Semaphore begun = new Semaphore(0); // one permit per lookup

    @AfterEach
    void endThreads() {
        names.values().forEach(each -> each.complete(List.of()));
        group.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
    }

    @Test
    void looksUpOtherNamesWhileOneTakesLong() throws Exception {
        HostLookup lookup = new HostLookup(this::addresses);
        Asking slow = ask(lookup, "slow");
        Asking again = ask(lookup, "slow");
        names.put("fast", CompletableFuture.completedFuture(List.of("127.0.0.1")));
        assertEquals(List.of(address("127.0.0.1")), await(ask(lookup, "fast").answer));
        assertFalse(slow.answer.isDone());
        names("slow").complete(List.of("127.0.0.2"));
        assertEquals(List.of(address("127.0.0.2")), await(slow.answer));
        assertEquals(List.of(address("127.0.0.2")), await(again.answer));
        assertEquals(2, lookups.get(), "both who asked for the slow name share one lookup");
        lookup.close();
    }

    @Test
    void refusesNamesWhenTooManyWait() throws Exception {
        HostLookup lookup = new HostLookup(this::addresses);
        int room = HostLookup.THREADS_MAX + HostLookup.NAMES_WAITING_MAX;
        for (int i = 0; i < room; i++) {
            assertFalse(ask(lookup, "slow-" + i).answer.isDone());
        }
        Asking oneTooMany = ask(lookup, "one-too-many");
        ExecutionException refused = assertThrows(ExecutionException.class, () -> await(oneTooMany.answer));
        assertTrue(
                refused.getMessage().contains(HostLookup.NAMES_WAITING_MAX + " host names wait"), refused::getMessage);
        lookup.close();
    }

    @Test
    void dropsLookupsWithoutWaiters() throws Exception {
        HostLookup lookup = new HostLookup(this::addresses);
        for (int i = 0; i < HostLookup.THREADS_MAX; i++) {
            ask(lookup, "slow-" + i);
        }
        assertTrue(begun.tryAcquire(HostLookup.THREADS_MAX, BOUND.toMillis(), TimeUnit.MILLISECONDS));
        Asking unwanted = ask(lookup, "unwanted");
        unwanted.waits = false;
        Asking wanted = ask(lookup, "wanted");
        names("wanted").complete(List.of("127.0.0.1"));
        names("slow-0").complete(List.of("127.0.0.1"));
        await(wanted.answer);
        assertEquals(HostLookup.THREADS_MAX + 1, lookups.get());
        assertFalse(unwanted.answer.isDone());
        lookup.close();
    }

    @Test
    void doesNotConnectOnceTheTimeIsOver() throws Exception {
        HostLookup lookup = new HostLookup(this::addresses);
        try (ServerSocket server = new ServerSocket(0, 50, address("127.0.0.1"));
                Connector connector = connector(SHORT, lookup)) {
            HearthException expired =
                    failure(connect(connector, new RpcAddress("late.example", server.getLocalPort())));
            assertTrue(String.valueOf(expired.getMessage()).contains("not resolved"), expired::getMessage);
            Asking behind = ask(lookup, "late.example"); // called after the attempt
            names("late.example").complete(List.of("127.0.0.1"));
            await(behind.answer);
            CountDownLatch turn = new CountDownLatch(1);
            group.next().execute(turn::countDown);
            assertTrue(turn.await(BOUND.toMillis(), TimeUnit.MILLISECONDS));
            server.setSoTimeout(1); // a connection would be in the accept queue by now
            assertThrows(SocketTimeoutException.class, server::accept, "a connection without a caller");
        }
    }

    @Test
    void givesUpConnectionsThatAreNotAnsweredInTime() throws Exception {
        EmbeddedChannel unanswered = new EmbeddedChannel();
        CountDownLatch givenUp = new CountDownLatch(1);
        unanswered.closeFuture().addListener(closed -> givenUp.countDown());
        Bootstrap dialing = new Bootstrap() {
            @Override
            public ChannelFuture connect(SocketAddress remote) {
                return new DefaultChannelPromise(unanswered, group.next());
            }
        };
        try (Connector connector = connector(SHORT, new HostLookup(this::addresses))) {
            HearthException expired = failure(connector
                    .connect(
                            group,
                            own -> dialing.group(group),
                            new RpcAddress("127.0.0.1", 1),
                            SCOPE,
                            Lane.MESSAGES,
                            EstablishedConnection::remote)
                    .toCompletableFuture());
            assertTrue(String.valueOf(expired.getMessage()).contains("no answer within"), expired::getMessage);
            assertTrue(givenUp.await(BOUND.toMillis(), TimeUnit.MILLISECONDS), "the connection stays open");
        }
    }

    @Test
    void goesOnToTheAddressThatAnswers() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, address("127.0.0.3"));
                Connector connector = connector(BOUND, new HostLookup(this::addresses))) {
            names("several.example").complete(List.of("::1", "127.0.0.2", "127.0.0.3"));
            CompletableFuture<String> attempt =
                    connect(connector, new RpcAddress("several.example", server.getLocalPort()));
            server.accept().close();
            String text = String.valueOf(failure(attempt).getMessage());
            assertTrue(text.contains("closed the connection during the handshake"), text);
        }
    }

    private Connector connector(Duration connect, HostLookup lookup) {
        RpcSettings settings = new RpcSettings(
                Optional.empty(),
                RpcSecurity.NONE,
                RpcLimits.DEFAULTS,
                new RpcTimes(connect, BOUND, BOUND, BOUND, SHORT, BOUND));
        return new Connector(settings, Preamble.OURS, new ChannelSecurity(RpcSecurity.NONE, Ticker.system()), lookup);
    }

    private CompletableFuture<String> connect(Connector connector, RpcAddress address) {
        return connector
                .connect(group, UnaryOperator.identity(), address, SCOPE, Lane.MESSAGES, EstablishedConnection::remote)
                .toCompletableFuture();
    }

    private List<InetAddress> addresses(String host) throws UnknownHostException {
        lookups.incrementAndGet();
        begun.release();
        List<String> found = names(host).join();
        InetAddress[] addresses = new InetAddress[found.size()];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = address(found.get(i));
        }
        return List.of(addresses);
    }

    private static InetAddress address(String numeric) throws UnknownHostException {
        return InetAddress.getByName(numeric);
    }

    private CompletableFuture<List<String>> names(String host) {
        return names.computeIfAbsent(host, any -> new CompletableFuture<>());
    }

    private static Asking ask(HostLookup lookup, String host) {
        Asking asking = new Asking();
        lookup.find(host, asking);
        return asking;
    }

    private static <T> T await(CompletableFuture<T> answer) throws Exception {
        return answer.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static HearthException failure(CompletableFuture<?> attempt) {
        ExecutionException failed = assertThrows(ExecutionException.class, () -> await(attempt));
        return assertInstanceOf(HearthException.class, failed.getCause());
    }

    /** Waits for the addresses of one name. */
    private static final class Asking implements HostLookup.LookupCallback {
        private final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        private volatile boolean waits = true;

        @Override
        public boolean waits() {
            return waits;
        }

        @Override
        public void found(List<InetAddress> addresses) {
            answer.complete(addresses);
        }

        @Override
        public void notFound(String reason) {
            answer.completeExceptionally(new IllegalStateException(reason));
        }
    }
}
