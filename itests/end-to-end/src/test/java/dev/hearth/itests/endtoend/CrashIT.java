package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills random executors while jobs of many kinds run. Every result is right, the driver's use of resources does not
 * grow, and no process, file, directory or listening socket is left. {@code -Pcrash} asks for 200 kills: in one half
 * executors read the files of other executors in place, in the other half they fetch the bytes. The report holds the
 * seed.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(1_200)
class CrashIT {
    private static final int KILLS = Integer.getInteger("hearth.crash.kills", 6) / 2; // per run
    private static final long SEED = Long.getLong("hearth.crash.seed", System.nanoTime());
    private static final boolean LONG = Integer.getInteger("hearth.crash.kills") != null;
    private static final int PAUSE_MILLIS_MIN = LONG ? 1_000 : 500;
    private static final int PAUSE_MILLIS_MAX = LONG ? 5_000 : 2_500;
    private static final int KILLS_PER_LOOK = 20;
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final int EXECUTORS = 3;

    /** The growth the driver may show over its first round; heap may grow by the records of ended jobs. */
    private static final int DESCRIPTORS_MORE = 50;

    private static final int THREADS_MORE = 30;
    private static final long HEAP_BYTES_MORE = 48L << 20;
    // of all processes, after the cleaner has removed what the program dropped
    private static final long SEGMENTS_MAX = 1_000;
    private static final long LOG_BYTES_MAX = 32L << 20;

    @TempDir
    Path scratch;

    private Installation installation;
    private Path local;
    private Path work;
    private Path temporary;
    private Path stop;

    @BeforeEach
    void unpack() throws IOException {
        installation = Installation.in(scratch);
        local = Files.createDirectory(scratch.resolve("local"));
        work = scratch.resolve("work");
        temporary = Files.createDirectory(scratch.resolve("tmp"));
        stop = scratch.resolve("stop");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killedExecutorsChangeNoResultAndLeaveNothing(boolean hostDisks) throws Exception {
        System.err.println("hearth.crash.seed=" + SEED + ", " + KILLS + " kills, read in place: " + hostDisks);
        Set<String> listeners = new TreeSet<>();
        try (Launched submit = submit(hostDisks)) {
            Eventually.until("a first round", () -> rounds() > 0, BOUND, submit::errors);
            kill(submit, new Random(SEED), listeners);
            Files.createFile(stop);
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("0 wrong of many: true\n", submit.output(), () -> "seed " + SEED + ": " + submit.errors());
            submit.errors().lines().filter(line -> line.startsWith("jobs: ")).forEach(System.err::println);
        }
        Processes.waitForTheEndOf(installation.processes());
        assertFalse(listeners.isEmpty());
        listeners.retainAll(Footprint.listening());
        assertEquals(Set.of(), listeners, "sockets of ours that still listen");
        try (Launched next = submit(hostDisks)) { // the next executor that writes sweeps the files of killed ones
            assertEquals(0, next.status(), next::errors);
        }
        Processes.waitForTheEndOf(installation.processes());
        expectNothingLeft();
    }

    /**
     * Kills one executor after the other; measures the driver before the first kill, after every few, and at the end.
     */
    private void kill(Launched submit, Random random, Set<String> listeners) throws Exception {
        ProcessHandle driver = ProcessHandle.of(submit.pid()).orElseThrow();
        Footprint first = Footprint.of(driver.pid());
        int killed = 0;
        while (killed < KILLS && driver.isAlive()) {
            List<ProcessHandle> executors = driver.children().toList();
            if (executors.size() > 1) {
                Processes.kill(executors.get(random.nextInt(executors.size())).pid());
                killed++;
                if (killed % KILLS_PER_LOOK == 0 || killed == KILLS) {
                    look(driver, first, killed, listeners);
                }
            }
            runOn(driver, random.nextInt(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX));
        }
        assertEquals(KILLS, killed, () -> "it ended before: " + submit.output() + submit.errors());
    }

    private void look(ProcessHandle driver, Footprint first, int killed, Set<String> listeners) throws Exception {
        Footprint now = Footprint.of(driver.pid());
        System.err.println(
                "after " + killed + " kills " + now + ", " + segments() + " files; in the beginning " + first);
        assertEquals(first.listeners(), now.listeners(), "what the driver listens by");
        assertTrue(now.descriptors() <= first.descriptors() + DESCRIPTORS_MORE, () -> now + " after " + first);
        assertTrue(now.threads() <= first.threads() + THREADS_MORE, () -> now + " after " + first);
        assertTrue(now.heapBytes() <= first.heapBytes() + HEAP_BYTES_MORE, () -> now + " after " + first);
        Eventually.until(
                "at most " + SEGMENTS_MAX + " files of shuffles and kept blocks",
                () -> segments() <= SEGMENTS_MAX,
                BOUND,
                () -> "more of them");
        List<ProcessHandle> executors = driver.children().toList();
        assertTrue(executors.size() <= EXECUTORS, executors::toString);
        listeners.addAll(now.listeners());
        for (ProcessHandle executor : executors) {
            listeners.addAll(Footprint.listeners(executor.pid()));
        }
    }

    private void expectNothingLeft() throws IOException {
        assertEquals(List.of(), below(local), "in the local directory");
        List<Path> temporaries = below(temporary);
        assertTrue( // the directory of a user remains for the next process
                temporaries.size() <= 1 && temporaries.stream().allMatch(Files::isDirectory),
                () -> "in the temporary directory: " + temporaries);
        long bytes = 0;
        // the output of executors remains: work/application/executor/stdout and stderr, with the mark of the directory
        for (Path file : below(work)) {
            int depth = work.relativize(file).getNameCount();
            boolean log = Set.of("stdout", "stderr", ".hearth-process")
                    .contains(file.getFileName().toString());
            assertTrue(
                    Files.isDirectory(file) ? depth <= 2 : depth == 3 && log, () -> "where executors worked: " + file);
            bytes += Files.isDirectory(file) ? 0 : Files.size(file);
        }
        assertTrue(bytes <= LOG_BYTES_MAX, "executors wrote " + bytes + " bytes");
        try (Stream<Path> files = Files.list(scratch)) {
            assertEquals(
                    List.of(),
                    files.filter(file -> file.getFileName().toString().startsWith("stop.output"))
                            .toList(),
                    "output of the program, which removes what it has looked at");
        }
    }

    private long rounds() throws IOException {
        Path count = Path.of(stop + ".jobs");
        return Files.exists(count) ? Files.size(count) : 0;
    }

    private long segments() throws IOException {
        return below(local).stream()
                .filter(file -> file.getFileName().toString().startsWith("segment-"))
                .count();
    }

    /** All paths below a directory without the directory; files may vanish during the listing. */
    private static List<Path> below(Path directory) throws IOException {
        Listing all = new Listing();
        Files.walkFileTree(directory, all);
        all.found.remove(directory);
        return all.found;
    }

    /** Lets the program run for this long, or to its end. */
    private static void runOn(ProcessHandle driver, int milliseconds) throws Exception {
        try {
            driver.onExit().get(milliseconds, TimeUnit.MILLISECONDS);
        } catch (TimeoutException runs) {
            assertTrue(milliseconds > 0);
        }
    }

    /**
     * Submits with a raised limit on failed executors: a killed executor counts as failed, because it looks like one
     * that ran out of memory. The limits on failures of tasks and stages are unchanged.
     */
    private Launched submit(boolean hostDisks) throws IOException {
        return installation.compute(
                "--master",
                "local-cluster[" + EXECUTORS + ",1,512]",
                "--driver-java-options",
                "-Djava.io.tmpdir=" + temporary,
                "--conf",
                "hearth.localCluster.dir=" + work,
                "--conf",
                "hearth.local.dir=" + local,
                "--conf",
                "hearth.shuffle.io.retryWait=500ms",
                "--conf",
                "hearth.shuffle.readHostLocalDisk=" + hostDisks,
                "--conf",
                "hearth.executor.maxNumFailures=" + 2 * KILLS,
                "--class",
                "dev.hearth.itests.endtoend.app.MixedJobs",
                installation.applications().toString(),
                stop.toString());
    }

    private static final class Listing extends SimpleFileVisitor<Path> {
        private final List<Path> found = new ArrayList<>();

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            found.add(directory);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException gone) {
            return FileVisitResult.CONTINUE;
        }
    }
}
