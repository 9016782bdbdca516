package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executors are killed by chance while jobs of all sorts run: every result is right, and nothing runs and no file is left
 * afterwards. {@code -Pcrash} for ten minutes; the seed is in the report.
 */
@Timeout(1_200)
class CrashIT {
    private static final int KILLS = Integer.getInteger("hearth.crash.kills", 6);
    private static final long SEED = Long.getLong("hearth.crash.seed", System.nanoTime());
    private static final int PAUSE_MILLIS_MIN = 1_000;
    private static final int PAUSE_MILLIS_MAX = 5_000;
    private static final Duration GONE_WITHIN = Duration.ofSeconds(15);

    @TempDir
    Path scratch;

    @Test
    void killedExecutorsChangeNoResult() throws Exception {
        System.err.println("hearth.crash.seed=" + SEED + ", " + KILLS + " kills");
        Installation installation = Installation.in(scratch);
        Path local = Files.createDirectory(scratch.resolve("local"));
        Path stop = scratch.resolve("stop");
        try (Launched submit = submit(installation, local, stop)) {
            ProcessHandle driver = ProcessHandle.of(submit.pid()).orElseThrow();
            Random random = new Random(SEED);
            int killed = 0;
            while (killed < KILLS && driver.isAlive()) {
                List<ProcessHandle> executors = driver.children().toList();
                if (executors.size() > 1) {
                    end(executors.get(random.nextInt(executors.size())));
                    killed++;
                }
                runOn(driver, random.nextInt(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX));
            }
            assertEquals(KILLS, killed, () -> "it ended before: " + submit.output() + submit.errors());
            Files.createFile(stop);
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("0 wrong of many: true\n", submit.output(), () -> "seed " + SEED + ": " + submit.errors());
            submit.errors().lines().filter(line -> line.startsWith("jobs: ")).forEach(System.err::println);
        }
        waitForTheEndOf(installation.processes());
        try (Launched next =
                submit(installation, local, stop)) { // what killed ones left goes with the next that writes
            assertEquals(0, next.status(), next::errors);
        }
        try (Stream<Path> left = Files.walk(local)) {
            assertEquals(List.of(), left.filter(Files::isRegularFile).toList(), "files that nobody needs");
        }
    }

    /** Lets the program run on for so long, or to its end. */
    private static void runOn(ProcessHandle driver, int milliseconds) throws Exception {
        try {
            driver.onExit().get(milliseconds, TimeUnit.MILLISECONDS);
        } catch (TimeoutException runs) {
            assertTrue(milliseconds > 0);
        }
    }

    private Launched submit(Installation installation, Path local, Path stop) throws IOException {
        String many = String.valueOf(10 * KILLS);
        return installation.submit(
                "--master",
                "local-cluster[3,1,512]",
                "--conf",
                "hearth.localCluster.dir=" + scratch.resolve("work"),
                "--conf",
                "hearth.local.dir=" + local,
                "--conf",
                "hearth.shuffle.io.retryWait=500ms",
                "--conf",
                "hearth.executor.maxNumFailures=" + many,
                "--conf",
                "hearth.task.maxFailures=" + many,
                "--conf",
                "hearth.stage.maxConsecutiveAttempts=" + many,
                "--class",
                "dev.hearth.itests.endtoend.app.MixedJobs",
                installation.applications().toString(),
                stop.toString());
    }

    private static void end(ProcessHandle process) {
        process.destroyForcibly();
        process.onExit().join();
    }

    private static void waitForTheEndOf(List<ProcessHandle> processes) throws Exception {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ends).get(GONE_WITHIN.toSeconds(), TimeUnit.SECONDS);
    }
}
