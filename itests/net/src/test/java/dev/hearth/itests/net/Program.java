package dev.hearth.itests.net;

import dev.hearth.itests.net.LoadMessages.Answer;
import dev.hearth.itests.net.LoadMessages.Ask;
import dev.hearth.itests.net.LoadMessages.Count;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Main program of both processes: {@code server HOST PORT} checks incoming messages, {@code client HOST PORT} sends
 * messages and requests through one ref until it ends. Both print to standard output each peer that connects or is
 * lost, and each error. The end of standard input ends them.
 */
final class Program {
    private static final String FACTORY = "dev.hearth.rpc.internal.NettyRpcEnvFactory";
    private static final String ENDPOINT = "load";
    private static final Duration TICK = Duration.ofMillis(2);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final int COUNTS_PER_TICK = 5;
    private static final int ASKS_UNDER_WAY_MAX = 64;
    private static final int ANSWERS_PER_LINE = 200;

    private Program() {}

    public static void main(String[] arguments) throws Exception {
        String host = arguments[1];
        int port = Integer.parseInt(arguments[2]);
        Settings settings = Settings.empty()
                .with("test", "hearth.rpc.trustedNetwork", "true")
                .with("test", "hearth.rpc.silenceTimeout", PartitionIT.SILENCE.toMillis() + "ms")
                .with("test", "hearth.rpc.connectTimeout", PartitionIT.CONNECT.toMillis() + "ms")
                .with("test", "hearth.rpc.reconnect.maxWait", PartitionIT.PAUSE_LAST.toMillis() + "ms");
        RpcEnvFactory factory = Class.forName(FACTORY)
                .asSubclass(RpcEnvFactory.class)
                .getConstructor()
                .newInstance();
        EventLoop loop = new ThreadEventLoop("program", failure -> say("wrong: " + failure));
        boolean serves = arguments[0].equals("server");
        RpcEnv env =
                factory.open(serves ? RpcSettings.listening(settings, host, port) : RpcSettings.connecting(settings));
        env.register(ENDPOINT, LoadMessages.PROTOCOL, loop, new Watch());
        if (!serves) {
            EndpointUri uri = new EndpointUri(ENDPOINT, new RpcAddress(host, port));
            new Load(env.ref(uri, LoadMessages.PROTOCOL), loop).begin();
        }
        say("ready");
        awaitEndOfInput();
        env.close();
        say("ended");
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // the parent writes nothing; wait for the end of input
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Checks that no message within a connection is missing before its end, and that no message arrives twice. */
    private static final class Watch implements RpcEndpoint {
        private final Map<Long, Long> lastOfPeer = new LinkedHashMap<>();
        private final BitSet counted = new BitSet();
        private final BitSet asked = new BitSet();

        @Override
        public void receive(Record message, RpcCall call) {
            if (message instanceof Count count) {
                Long last = lastOfPeer.put(call.peer().id(), count.number());
                if (last != null && count.number() != last + 1) {
                    say("wrong: " + count + " after " + last + " on one connection");
                }
                once(counted, count.number(), message);
            } else if (message instanceof Ask ask) {
                once(asked, ask.number(), message);
                call.reply(new Answer(ask.number()));
            }
        }

        @Override
        public void peerConnected(Peer peer) {
            say("connected " + peer.id());
        }

        @Override
        public void peerLost(Peer peer, String reason) {
            say("lost " + peer.id() + ": " + reason);
        }

        private static void once(BitSet seen, long number, Record message) {
            if (seen.get((int) number)) {
                say("wrong: " + message + " came twice");
            }
            seen.set((int) number);
        }
    }

    /** Sends messages and requests, each with its own number. Lost ones are not sent again. Owned by its loop. */
    private static final class Load {
        private final EndpointRef ref;
        private final EventLoop loop;
        private long counts;
        private long asks;
        private long answers;
        private int underWay;

        Load(EndpointRef ref, EventLoop loop) {
            this.ref = ref;
            this.loop = loop;
        }

        void begin() {
            loop.execute(this::tick);
        }

        private void tick() {
            for (int i = 0; i < COUNTS_PER_TICK; i++) {
                ref.send(new Count(++counts));
            }
            while (underWay < ASKS_UNDER_WAY_MAX) {
                ask();
            }
            loop.schedule(TICK, this::tick);
        }

        private void ask() {
            underWay++;
            long number = ++asks;
            ref.ask(new Ask(number), Answer.class, ANSWER_MAX)
                    .whenComplete((answer, failure) -> loop.execute(() -> {
                        underWay--;
                        if (failure == null) {
                            answered(answer, number);
                        }
                    }));
        }

        private void answered(Answer answer, long number) {
            if (answer.number() != number) {
                say("wrong: " + answer + " to ask " + number);
            }
            if (++answers % ANSWERS_PER_LINE == 0) {
                say("answered " + answers);
            }
        }
    }
}
