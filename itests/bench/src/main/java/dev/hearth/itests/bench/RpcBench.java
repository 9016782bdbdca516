package dev.hearth.itests.bench;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.stream.StreamProvider;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Our messages between two processes. {@code server port=N [file=F]} offers one endpoint per {@link Delivery} and says
 * READY; {@code client port=N calls=N reps=N works=ask+send+bulk+control} measures them one after the other.
 */
final class RpcBench {
    /** Servers are killed by the process that started them; otherwise they end by themselves. */
    static final long SERVER_MINUTES_MAX = 30;

    private static final long CONNECT_SECONDS_MAX = 10;

    private RpcBench() {}

    public static void main(String[] words) throws Exception {
        BenchArguments arguments = BenchArguments.of(words);
        switch (arguments.role()) {
            case SERVER -> serve(arguments);
            case CLIENT -> measure(arguments);
        }
    }

    private static void serve(BenchArguments arguments) throws Exception {
        try (RpcEnv env = Envs.listening(arguments.port())) {
            env.streams().serve(BulkBench.STREAM, StreamProvider.file(Path.of(arguments.text("file", "/dev/null"))));
            for (Delivery delivery : Delivery.values()) {
                delivery.register(env, new BenchEndpoint(delivery.endpoint()).receiver());
            }
            System.out.println("READY");
            System.out.flush();
            boolean ended = new CountDownLatch(1).await(SERVER_MINUTES_MAX, TimeUnit.MINUTES);
            if (!ended) {
                System.err.println("server: nobody ended it within " + SERVER_MINUTES_MAX + " min");
            }
        }
    }

    private static void measure(BenchArguments arguments) throws Exception {
        try (RpcEnv env = Envs.connecting()) {
            RpcAddress address = new RpcAddress("127.0.0.1", arguments.port());
            Peer peer = env.connect(address).toCompletableFuture().get(CONNECT_SECONDS_MAX, TimeUnit.SECONDS);
            for (String work : arguments.works()) {
                if (work.equals("bulk")) {
                    new BulkBench(env.streams(), address, arguments).run();
                    continue;
                }
                if (work.equals("control")) {
                    EndpointRef inline = peer.endpoint(Delivery.INLINE.endpoint(), BenchMessages.PROTOCOL);
                    new ControlBench(inline, env.streams(), address, arguments).run();
                    continue;
                }
                for (Delivery delivery : Delivery.values()) {
                    EndpointRef ref = peer.endpoint(delivery.endpoint(), BenchMessages.PROTOCOL);
                    switch (work) {
                        case "ask" -> new AskBench(ref, delivery.variant(), arguments).run();
                        case "send" -> new SendBench(ref, delivery.variant(), arguments).run();
                        default ->
                            throw new IllegalArgumentException(
                                    "works: '" + work + "' (expected: ask, send, bulk, control, joined by +)");
                    }
                }
            }
        }
    }
}
