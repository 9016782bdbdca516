package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every connection to three masters, and theirs to ZooKeeper, goes through a relay that resets it, holds it or refuses it for 0.1
 * to 3 s, again and again: drill 12. Nothing that runs ends, and applications that start meanwhile get their executors. Runs with
 * {@code -Pcrash}; {@code SessionsTest} simulates the same in each build.
 */
@EnabledIfSystemProperty(named = ZooKeeperProcess.JARS, matches = ".+")
@Timeout(900)
class FlickeringLinksIT {
    private static final int MASTERS = 3;
    private static final int FAULTS = Integer.getInteger("hearth.crash.kills", 20);
    private static final int SUBMISSIONS_PER_SECOND = 5;
    private static final String REACHED = "127.0.0.1";
    private static final String BOUND_TO = "127.0.0.2"; // masters are there, and relays where clients look for masters
    private static final Duration BOUND = Duration.ofMinutes(5);

    @TempDir
    Path scratch;

    private final Set<Long> daemons = new HashSet<>();
    private final List<TroubledRelay> relays = new ArrayList<>();
    private Installation installation;
    private ZooKeeperProcess server;
    private MasterGroup masters;
    private Launched worker;

    @BeforeEach
    void start() throws Exception {
        installation = Installation.in(scratch);
        server = ZooKeeperProcess.in(scratch);
        List<Integer> ports = new ArrayList<>();
        List<Integer> servers = new ArrayList<>();
        for (int i = 0; i < MASTERS; i++) {
            int port = FreePort.draw();
            ports.add(port);
            relays.add(new TroubledRelay(REACHED, port, new InetSocketAddress(BOUND_TO, port)));
            TroubledRelay toServer = new TroubledRelay(REACHED, 0, new InetSocketAddress(REACHED, server.port()));
            relays.add(toServer);
            servers.add(toServer.port());
        }
        masters = MasterGroup.start(installation, ports, number -> {
            List<String> settings = new ArrayList<>(MasterGroup.inZooKeeper(servers.get(number)));
            settings.addAll(List.of("--conf", "hearth.rpc.bindAddress=" + BOUND_TO));
            return settings;
        });
        worker = masters.worker(masters.url(), "work", 32);
        daemons.add(worker.pid());
        IntStream.range(0, MASTERS).forEach(i -> daemons.add(masters.process(i).pid()));
    }

    @AfterEach
    void stop() throws IOException {
        worker.close();
        masters.close();
        server.close();
        for (TroubledRelay relay : relays) {
            relay.close();
        }
    }

    @Test
    void endsNothingAndDesertsNoApplication() throws Exception {
        long seed = System.nanoTime();
        try (GatedApplications before = GatedApplications.start(installation, masters.url(), 2, 3, 2, daemons);
                SubmissionLedger ledger = SubmissionLedger.of(installation, masters)) {
            ledger.begin(SUBMISSIONS_PER_SECOND);
            for (TroubledRelay relay : relays) {
                relay.trouble(seed + relays.indexOf(relay));
            }
            try (GatedApplications during = GatedApplications.start(installation, masters.url(), 1, 2, 1, daemons)) {
                Eventually.until(
                        FAULTS + " faults", () -> faults() >= FAULTS, BOUND, () -> faults() + " with seed " + seed);
                before.requireUntouched();
                during.requireUntouched();
                for (TroubledRelay relay : relays) {
                    relay.heal();
                }
                ledger.end();
                ledger.requireKept();
                before.requireUntouched();
                during.requireUntouched();
                before.finish();
                during.finish();
            }
            System.out.println(faults() + " faults of links (seed " + seed + "): " + ledger.size()
                    + " submissions acknowledged and kept, " + ledger.repetitions() + " requests repeated, "
                    + before.processes() + " processes untouched; the same line of a submission was written "
                    + before.repetitionsOfALine() + " times at most");
        }
        for (int i = 0; i < MASTERS; i++) {
            assertTrue(masters.process(i).isAlive());
        }
        assertEquals(1, worker.output().lines().count(), "the worker has kept its id");
    }

    private int faults() {
        return relays.stream().mapToInt(TroubledRelay::faults).sum();
    }
}
