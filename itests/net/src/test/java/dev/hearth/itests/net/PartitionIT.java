package dev.hearth.itests.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.TestingNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Partitions and heals a network under load, in four ways. Both sides report the loss of the other once, within the
 * silence timeout. Afterwards the ref reconnects and the load continues; no message arrives twice or out of order.
 */
class PartitionIT {
    static final Duration SILENCE = Duration.ofSeconds(2);
    static final Duration CONNECT = Duration.ofSeconds(1);
    static final Duration PAUSE_LAST = Duration.ofMillis(500);

    /** Silence is checked three times per timeout, and the machine may be busy. */
    private static final Duration LOSS_MAX =
            SILENCE.multipliedBy(4).dividedBy(3).plusSeconds(3);

    private static final Duration START_MAX = Duration.ofSeconds(30);
    private static final Duration RECOVERY_MAX = Duration.ofSeconds(15);
    private static final int PORT = 7_077;
    private static final int CLIENT = 1;
    private static final int SERVER = 2;
    private static final int LINES = 5; // answers to wait for before the load counts as running

    @Test
    void losesOnceAndGoesOnWhenItHeals() throws Exception {
        try (TestingNetwork network = TestingNetwork.of(2);
                Running server = start("server", network, SERVER)) {
            server.await("ready", 1, START_MAX);
            try (Running client = start("client", network, CLIENT)) {
                Round round = new Round(server, client);
                round.awaitLoad(START_MAX);
                round.run("the cable is out", () -> network.unplug(CLIENT), () -> network.plug(CLIENT));
                round.run(
                        "the server hears nothing",
                        () -> network.deafen(SERVER, CLIENT),
                        () -> network.hear(SERVER, CLIENT));
                round.run(
                        "the client hears nothing",
                        () -> network.deafen(CLIENT, SERVER),
                        () -> network.hear(CLIENT, SERVER));
                round.run(
                        "neither hears anything",
                        () -> network.part(CLIENT, SERVER),
                        () -> network.heal(CLIENT, SERVER));
                client.end();
                server.await("lost", round.number + 1, LOSS_MAX);
                server.end();
                assertEquals(List.of(), server.saying("wrong"));
                assertEquals(List.of(), client.saying("wrong"));
            }
        }
    }

    @Test
    void keepsTheConnectionWhenItHealsInTime() throws Exception {
        try (TestingNetwork network = TestingNetwork.of(2);
                Running server = start("server", network, SERVER)) {
            server.await("ready", 1, START_MAX);
            try (Running client = start("client", network, CLIENT)) {
                Round round = new Round(server, client);
                round.awaitLoad(START_MAX);
                network.deafen(SERVER, CLIENT);
                network.hear(SERVER, CLIENT);
                round.awaitLoad(RECOVERY_MAX);
                for (Running side : List.of(server, client)) {
                    assertEquals(List.of(), side.saying("lost"));
                    assertEquals(List.of(), side.saying("wrong"));
                }
            }
        }
    }

    private static Running start(String role, TestingNetwork network, int member) throws IOException {
        return Running.start(role, TestingNetwork.host(SERVER), PORT, command -> network.as(member, command));
    }

    /** Each kind of partition in turn. */
    private static final class Round {
        private final Running server;
        private final Running client;
        private int number;

        Round(Running server, Running client) {
            this.server = server;
            this.client = client;
        }

        void run(String what, Step part, Step heal) throws Exception {
            number++;
            long began = System.nanoTime();
            part.take();
            for (Running side : List.of(server, client)) {
                side.await("lost", number, LOSS_MAX);
            }
            System.err.println(what + ": both lost after "
                    + Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms");
            heal.take();
            long healed = System.nanoTime();
            awaitLoad(RECOVERY_MAX);
            System.err.println("  the load goes on "
                    + Duration.ofNanos(System.nanoTime() - healed).toMillis() + " ms after it healed");
            for (Running side : List.of(server, client)) {
                assertEquals(number, side.count("lost"), () -> what + ": " + side.saying("lost"));
                assertEquals(number + 1, side.count("connected"), () -> what + ": " + side.saying("connected"));
            }
        }

        void awaitLoad(Duration bound) throws Exception {
            client.await("answered", client.count("answered") + LINES, bound);
            assertTrue(server.count("wrong") == 0, () -> server.saying("wrong").toString());
        }
    }

    @FunctionalInterface
    private interface Step {
        void take() throws Exception;
    }
}
