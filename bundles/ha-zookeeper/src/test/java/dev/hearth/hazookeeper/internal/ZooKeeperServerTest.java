package dev.hearth.hazookeeper.internal;

import static dev.hearth.testkit.ledger.LeadershipRecorder.facts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.Candidate;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.ledger.FactLogContract;
import dev.hearth.testkit.ledger.LeadershipRecorder;
import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the contract of logs on a real server of ZooKeeper, which is killed and started again. Runs with {@code -Pcrash};
 * {@code EnsembleContractTest} runs the same on a model in each build.
 */
@EnabledIfSystemProperty(named = "hearth.zookeeper.server", matches = "true")
@Timeout(300)
@SuppressWarnings("try") // candidacies are held and not used
class ZooKeeperServerTest extends FactLogContract {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    @TempDir
    static Path data;

    private static RunningZooKeeper server;

    private final Settings settings = Settings.empty()
            .with("test", "hearth.deploy.zookeeper.url", server.address())
            .with("test", "hearth.deploy.zookeeper.dir", "/clusters/test-" + CLUSTERS.incrementAndGet())
            .with("test", "hearth.deploy.zookeeper.sessionTimeout", "30s");

    @BeforeAll
    static void start() throws Exception {
        server = new RunningZooKeeper(data);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected Candidacy stand(String name, LeadershipListener listener) {
        return stand(name, listener, settings);
    }

    private static Candidacy stand(String name, LeadershipListener listener, Settings settings) {
        return new ZooKeeperFactLogs().stand(new Candidate(name, settings), listener);
    }

    @Test
    void goesOnWhenAKilledServerIsBack() throws Exception {
        LeadershipRecorder heard = new LeadershipRecorder();
        try (Candidacy leader = stand("a:1", heard)) {
            heard.leads().log().append(facts("x")).toCompletableFuture().get();
            long before = heard.epoch();
            for (String next : List.of("y", "z")) {
                server.kill();
                Eventually.until("uncertain", () -> heard.log().isUncertain(), BOUND);
                CompletableFuture<Void> waits = heard.log().append(facts(next)).toCompletableFuture();
                assertFalse(waits.isDone());
                server.start();
                waits.get();
                Eventually.until("certain", () -> !heard.log().isUncertain(), BOUND);
            }
            assertEquals(before, heard.epoch(), "its session outlives the server");
        }
        LeadershipRecorder second = new LeadershipRecorder();
        try (Candidacy leader = stand("b:2", second)) {
            assertEquals(List.of("x", "y", "z"), second.leads().replayed());
        }
    }

    @Test
    void keepsTheNodesOfAClusterWithASecretFromOthers() throws Exception {
        Settings secured = settings.with("test", "hearth.authenticate", "true")
                .with("test", "hearth.authenticate.secret", "a secret of many bytes");
        LeadershipRecorder first = new LeadershipRecorder();
        try (Candidacy leader = stand("a:1", first, secured)) {
            first.leads().log().append(facts("x")).toCompletableFuture().get();
        }
        for (Settings other :
                List.of(settings, secured.with("test", "hearth.authenticate.secret", "another secret of many bytes"))) {
            LeadershipRecorder refused = new LeadershipRecorder();
            try (Candidacy candidacy = stand("b:2", refused, other)) {
                String failure = refused.next();
                assertTrue(failure.contains("not permitted (expected: nodes that a master with the same"), failure);
            }
        }
        LeadershipRecorder again = new LeadershipRecorder();
        try (Candidacy leader = stand("c:3", again, secured)) {
            assertEquals(List.of("x"), again.leads().replayed());
        }
    }

    /** Prints how long it takes to replay the log of a large cluster. */
    @Test
    void replaysAHundredThousandFacts() throws Exception {
        LeadershipRecorder heard = new LeadershipRecorder();
        int facts = 100_000;
        try (Candidacy leader = stand("a:1", heard)) {
            heard.leads();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            long begin = System.nanoTime();
            for (int i = 0; i < facts; i += 10) {
                String[] ten = new String[10];
                Arrays.fill(ten, "a fact of some hundred bytes, as most are: " + "x".repeat(60) + i);
                all.add(heard.log().append(facts(ten)).toCompletableFuture());
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get();
            System.out.printf(
                    "%d facts in %d appends: %d ms%n", facts, all.size(), (System.nanoTime() - begin) / 1_000_000);
        }
        AtomicInteger replayed = new AtomicInteger();
        long begin = System.nanoTime();
        LeadershipRecorder counting = new LeadershipRecorder(fact -> replayed.incrementAndGet());
        try (Candidacy leader = stand("b:2", counting)) {
            counting.leads();
            System.out.printf("replayed in %d ms, with the start%n", (System.nanoTime() - begin) / 1_000_000);
            assertEquals(facts, replayed.get());
        }
    }
}
