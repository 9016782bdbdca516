package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.hearth.itests.endtoend.app.MixedJobs;
import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills random executors, relays and daemons of a real YARN while jobs of many kinds run (row Y32). Every result is right, and
 * no container, process or staged file is left. {@code -Pcrash} asks for 200 kills; the report holds the seed.
 */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(1_800)
class CrashYarnIT {
    private static final int KILLS = Integer.getInteger("hearth.crash.kills", 8);
    private static final long SEED = Long.getLong("hearth.crash.seed", System.nanoTime());
    private static final int PAUSE_MILLIS_MAX = 6_000;
    private static final int AWAY_MILLIS_MAX = 3_000;
    private static final int END_SECONDS_MAX = 300;
    private static final Duration BOUND = Duration.ofMinutes(3);

    @TempDir
    Path scratch;

    private final Map<Victim, Integer> killed = new EnumMap<>(Victim.class);

    /** Kinds of processes to kill. Executors and relays are killed more often than daemons, which take a while to come back. */
    private enum Victim {
        EXECUTOR,
        RELAY,
        NODE_MANAGER,
        DATA_NODE,
        RESOURCE_MANAGER;

        static Victim draw(Random random) {
            int drawn = random.nextInt(10);
            return drawn < 5 ? EXECUTOR : drawn < 7 ? RELAY : values()[drawn - 5];
        }
    }

    @Test
    void killedPartsOfTheClusterChangeNoResultAndLeaveNothing() throws Exception {
        System.err.println("hearth.crash.seed=" + SEED + ", " + KILLS + " kills");
        Path stop = scratch.resolve("stop");
        HadoopLab.Plan plan = HadoopLab.Plan.ofNodes(YarnNodes.NODES)
                .with("yarn-site.xml", "yarn.resourcemanager.am.max-attempts", "1000")
                .with("yarn-site.xml", "yarn.resourcemanager.recovery.enabled", "true")
                .with(
                        "yarn-site.xml",
                        "yarn.resourcemanager.store.class",
                        "org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore")
                .with(
                        "yarn-site.xml",
                        "yarn.resourcemanager.fs.state-store.uri",
                        scratch.resolve("states").toUri().toString());
        try (OnYarn yarn = OnYarn.start(scratch, plan);
                Launched launched = submit(yarn, stop)) {
            Eventually.until(
                    "a first round",
                    () -> Files.exists(Path.of(stop + ".jobs")) || !launched.isAlive(),
                    BOUND,
                    launched::errors);
            String application = yarn.lastApplication();
            long began = System.nanoTime();
            kill(yarn, application, launched);
            long took = System.nanoTime() - began;
            Files.createFile(stop);
            assertEquals(0, launched.status(END_SECONDS_MAX), () -> "seed " + SEED + ": " + launched.errors());
            assertEquals("0 wrong of many: true\n", launched.output(), () -> "seed " + SEED + ": " + launched.errors());
            yarn.lab().awaitReady();
            yarn.awaitEnd(application);
            assertEquals("SUCCEEDED", yarn.reported(application, "finalStatus"));
            yarn.awaitNothingLeft(application);
            assertEquals("0", yarn.reported(application, "runningContainers").replace("-1", "0"));
            assertFalse(
                    yarn.lab().dfs("-ls", "-R", "/user").contains(".hearthStaging/" + application), "staging is left");
            System.out.println("Y32: seed " + SEED + ", " + killed + " killed in "
                    + Duration.ofNanos(took).toSeconds() + " s, " + Files.size(Path.of(stop + ".jobs"))
                    + " rounds of jobs, " + yarn.attempts(application) + " relays, nothing wrong and nothing left");
        }
    }

    private static Launched submit(OnYarn yarn, Path stop) throws Exception {
        return yarn.submit(OnYarn.join(
                new String[] {
                    "--conf", "hearth.executor.instances=3",
                    "--conf", "hearth.yarn.maxAppAttempts=1000",
                    "--conf", "hearth.yarn.am.reconnectTimeout=300s",
                    "--conf", "hearth.executor.maxNumFailures=" + (2 * KILLS + 10)
                },
                yarn.program(MixedJobs.class, stop.toString())));
    }

    private void kill(OnYarn yarn, String application, Launched launched) throws Exception {
        Random random = new Random(SEED);
        for (int count = 0; count < KILLS; ) {
            Victim victim = Victim.draw(random);
            if (strike(yarn, application, launched, victim, random)) {
                count++;
                killed.merge(victim, 1, Integer::sum);
                System.err.println(count + ": " + victim);
            }
            if (launched.hasEndedWithin(Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MAX)))) {
                throw new AssertionError(
                        "it ended before, seed " + SEED + ": " + launched.output() + launched.errors());
            }
        }
    }

    /** Kills one of these; false if there is none at present. */
    private static boolean strike(OnYarn yarn, String application, Launched launched, Victim victim, Random random)
            throws Exception {
        switch (victim) {
            case EXECUTOR, RELAY -> {
                List<Long> found = yarn.processes(application, victim == Victim.EXECUTOR ? "executor" : "am");
                found.stream()
                        .skip(random.nextInt(Math.max(1, found.size())))
                        .findFirst()
                        .ifPresent(OnYarn::kill);
                return !found.isEmpty();
            }
            case NODE_MANAGER ->
                restart(yarn, launched, HadoopLab.nodeManager(1 + random.nextInt(YarnNodes.NODES)), random);
            case DATA_NODE -> restart(yarn, launched, HadoopLab.dataNode(1 + random.nextInt(YarnNodes.NODES)), random);
            case RESOURCE_MANAGER -> restart(yarn, launched, HadoopLab.RESOURCE_MANAGER, random);
        }
        return true;
    }

    /** Kills a daemon once all are up, and starts it again after a while. */
    private static void restart(OnYarn yarn, Launched launched, String daemon, Random random) throws Exception {
        yarn.lab().awaitReady();
        yarn.lab().kill(daemon);
        launched.hasEndedWithin(Duration.ofMillis(random.nextInt(AWAY_MILLIS_MAX)));
        yarn.lab().startDaemon(daemon);
    }
}
