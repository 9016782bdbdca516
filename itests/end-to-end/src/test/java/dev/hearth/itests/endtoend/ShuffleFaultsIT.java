package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import dev.hearth.testkit.machine.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills or stops executors during a shuffle, or damages their files: the result is right, whether executors read one
 * another's files or fetch the bytes. Afterwards no process runs, and no file is left.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ShuffleFaultsIT {
    private static final String MAIN = "dev.hearth.itests.endtoend.app.GatedShuffle";
    private static final int MAPS = 6;
    private static final int READERS = 4;
    private static final long DISK_BYTES = 1 << 20;
    private static final int KILLS = Integer.getInteger("hearth.crash.kills", 4);

    @TempDir
    Path scratch;

    private Installation installation;
    private Gate gate;
    private Path local;

    @BeforeEach
    void start() throws IOException {
        installation = Installation.in(scratch);
        gate = new Gate();
        local = Files.createDirectory(scratch.resolve("local"));
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        gate.close();
        Processes.waitForTheEndOf(installation.processes());
        assertEquals(List.of(), installation.processes());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anExecutorIsKilledWhileItMakesOutputs(boolean hostDisks) throws Exception {
        try (Launched submit = submit(hostDisks)) {
            Gate.Visitor first = gate.next();
            assertEquals("map", first.who());
            first.pass();
            Gate.Visitor second = gate.next();
            Gate.Visitor third = gate.next(); // one of them has written a map output by now
            third.kill();
            second.pass();
            gate.open();
            assertRight(submit);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anExecutorIsKilledWithTheOutputsThatAreWanted(boolean hostDisks) throws Exception {
        try (Launched submit = submit(hostDisks)) {
            Set<Long> pids = new LinkedHashSet<>();
            Gate.Visitor between = mapped(pids);
            assertEquals(2, pids.size(), "executors");
            Processes.kill(pids.iterator().next());
            between.pass();
            Set<String> seen = new LinkedHashSet<>();
            for (int visits = 0; visits < READERS; ) {
                Gate.Visitor visitor = gate.next();
                seen.add(visitor.who());
                visits += visitor.who().equals("reduce") ? 1 : 0;
                visitor.pass();
            }
            gate.open();
            assertEquals(Set.of("map", "reduce"), seen, "what ran in the second job");
            assertRight(submit);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anExecutorIsKilledWhileItReads(boolean hostDisks) throws Exception {
        try (Launched submit = submit(hostDisks)) {
            mapped(new LinkedHashSet<>()).pass();
            Gate.Visitor reading = gate.next();
            assertEquals("reduce", reading.who());
            reading.kill();
            gate.open();
            assertRight(submit);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void filesOfOutputsAreDamagedOrGone(boolean hostDisks, boolean deleted) throws Exception {
        try (Launched submit = submit(hostDisks, "--conf", "hearth.stage.maxConsecutiveAttempts=" + 2 * MAPS)) {
            Gate.Visitor between = mapped(new LinkedHashSet<>());
            List<Path> files = segments();
            assertFalse(files.isEmpty(), "no output lies on disk");
            Path harmed = files.get(files.size() / 2);
            if (deleted) {
                Files.delete(harmed);
            } else {
                DataFaultsIT.Damage.FLIPPED.on(harmed);
            }
            gate.open();
            between.pass();
            assertRight(submit);
            assertTrue(submit.errors().contains(harmed.toString()), submit::errors);
        }
    }

    @Test
    void anExecutorThatSleepsTooLongIsReplacedAndTakesNoPartAnyMore() throws Exception {
        try (Launched submit = submit(
                false, "--conf", "hearth.executor.heartbeatInterval=500ms", "--conf", "hearth.network.timeout=2s")) {
            Gate.Visitor first = gate.next();
            Gate.Visitor second = gate.next();
            assertNotEquals(first.pid(), second.pid());
            Processes.signal("STOP", first.pid());
            Gate.Visitor third = gate.next();
            assertNotEquals(second.pid(), third.pid(), "a new executor has the task of the one that sleeps");
            assertNotEquals(first.pid(), third.pid());
            if (ProcessHandle.of(first.pid()).isPresent()) { // the driver ends it after some seconds
                Processes.signal("CONT", first.pid());
                first.pass();
            }
            Processes.waitForTheEndOf(ProcessHandle.of(first.pid()).stream().toList());
            second.pass();
            third.pass();
            gate.open();
            assertRight(submit);
        }
    }

    @Test
    void anExecutorThatIsToldToEndLeavesNoFile() throws Exception {
        try (Launched submit = submit(true)) {
            Set<Long> pids = new LinkedHashSet<>();
            Gate.Visitor between = mapped(pids);
            long told = pids.iterator().next();
            assertFalse(filesOf(told).isEmpty(), "it has outputs");
            ProcessHandle.of(told).ifPresent(process -> {
                process.destroy();
                process.onExit().join();
            });
            assertEquals(List.of(), filesOf(told)); // no other process writes or sweeps until the driver continues
            gate.open();
            between.pass();
            assertRight(submit);
        }
    }

    /** The files of a process in the local directory. */
    private List<Path> filesOf(long pid) throws IOException {
        try (Stream<Path> all = Files.list(local)) {
            return all.filter(file -> file.getFileName().toString().startsWith("hearth-" + pid + "-"))
                    .toList();
        }
    }

    @Test
    void aDiskThatIsFullIsPassedOverWhereThereIsAnother() throws Exception {
        try (SmallDisk disk = SmallDisk.in(scratch, DISK_BYTES).fill();
                Launched submit = submit(false, "--conf", "hearth.local.dir=" + disk + "," + local)) {
            gate.open();
            assertRight(submit);
        }
    }

    @Test
    void aDiskThatIsFullWithoutAnotherFailsTheJobByName() throws Exception {
        try (SmallDisk disk = SmallDisk.in(scratch, DISK_BYTES).fill();
                Launched submit = submit(true, "--conf", "hearth.local.dir=" + disk)) {
            gate.open();
            assertTrue(submit.status() != 0, submit::output);
            assertEquals("", submit.output());
            assertTrue(submit.errors().contains(disk + ": No space left on device"), submit::errors);
        }
    }

    /** Half of the kills happen while executors read one another's files, half while they fetch the bytes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(2_400) // the back-off before the next executor is up to 8 s
    void executorsAreKilledAgainAndAgain(boolean hostDisks) throws Exception {
        int kills = KILLS / 2;
        Random random = new Random(kills);
        // A killed executor counts as failed, like one that ran out of memory. The limits on failures of tasks and
        // stages are unchanged.
        String ending = "hearth.executor.maxNumFailures=" + 2 * kills;
        Path stop = scratch.resolve("stop");
        try (Launched submit = submit(hostDisks, 0, List.of(Integer.MAX_VALUE, stop), "--conf", ending)) {
            ProcessHandle driver = ProcessHandle.of(submit.pid()).orElseThrow();
            int killed = 0;
            while (killed < kills && driver.isAlive()) {
                List<ProcessHandle> executors = driver.children().toList();
                if (executors.size() > 1) {
                    Processes.kill(
                            executors.get(random.nextInt(executors.size())).pid());
                    killed++;
                }
                runOn(driver, random.nextInt(1_000, 3_000));
            }
            assertEquals(kills, killed, () -> "the program ended before: " + submit.output() + submit.errors());
            Files.createFile(stop);
            assertRight(submit);
        }
    }

    /** Lets the program run for this long, or to its end, so that the next fault hits a random phase. */
    private static void runOn(ProcessHandle driver, int milliseconds) throws Exception {
        CompletableFuture<ProcessHandle> end = driver.onExit();
        end.completeOnTimeout(driver, milliseconds, TimeUnit.MILLISECONDS).join();
    }

    /**
     * Lets the first job pass once both executors run its tasks, so that each has map output. Returns the driver,
     * which waits between both jobs.
     */
    private Gate.Visitor mapped(Set<Long> pids) throws Exception {
        Gate.Visitor first = gate.next();
        Gate.Visitor visitor = gate.next();
        pids.add(first.pid());
        first.pass();
        while (!visitor.who().equals("between")) {
            pids.add(visitor.pid());
            visitor.pass();
            visitor = gate.next();
        }
        return visitor;
    }

    private Launched submit(boolean hostDisks, String... flags) throws IOException {
        return submit(hostDisks, gate.port(), List.of(1), flags);
    }

    private Launched submit(boolean hostDisks, int port, List<?> rounds, String... flags) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--master",
                "local-cluster[2,1,256]",
                "--conf",
                "hearth.localCluster.dir=" + scratch.resolve("work"),
                "--conf",
                "hearth.local.dir=" + local,
                "--conf",
                "hearth.shuffle.io.retryWait=500ms",
                "--conf",
                "hearth.shuffle.readHostLocalDisk=" + hostDisks));
        arguments.addAll(List.of(flags));
        arguments.addAll(List.of("--class", MAIN, installation.applications().toString()));
        arguments.addAll(Stream.of(port, MAPS, READERS).map(String::valueOf).toList());
        rounds.forEach(last -> arguments.add(String.valueOf(last)));
        return installation.compute(arguments.toArray(String[]::new));
    }

    private void assertRight(Launched submit) throws Exception {
        assertEquals(0, submit.status(), submit::errors);
        assertEquals("right\n", submit.output(), submit::errors);
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> all = Files.walk(local)) {
            return all.filter(file -> file.getFileName().toString().startsWith("segment-"))
                    .sorted()
                    .toList();
        }
    }
}
