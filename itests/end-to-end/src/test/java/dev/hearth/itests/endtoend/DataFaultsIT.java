package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import dev.hearth.testkit.machine.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills or ends spilling programs, fills their disk or damages their files: the result is right, or the failure names
 * the cause.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class DataFaultsIT {
    private static final String MAIN = "user.ByKey";
    private static final long DISK_BYTES = 1 << 20;
    private static final int FILES_MAX = 32; // damaged at the same time, and possibly detected one after another

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Programs programs;

    @BeforeAll
    static void compile() throws IOException {
        installation = Installation.in(scratch);
        programs = Programs.compile(installation.home(), scratch);
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "CLUSTER")
    void theNextProcessRemovesWhatAKilledOneLeftAndNothingElse(Way way) throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        Path other = Files.createDirectory(local.resolve("hearth-other"));
        List<Path> foreign = List.of(other, Files.writeString(other.resolve("kept"), "by its owner"));
        try (Gate gate = new Gate();
                Launched killed = spilling(way, gate, local)) {
            gate.next(); // the other task may wait for memory that this one holds
            assertFalse(segments(local).isEmpty(), "nothing was spilled");
            killed.kill();
        }
        assertFalse(segments(local).isEmpty(), "kill -9 leaves what there was");
        try (Launched next = launch(way, "spills", "0", local)) {
            assertEquals(0, next.status(), next::errors);
            assertEquals("right, spilled\n", next.output());
        }
        assertEquals(foreign, files(local));
    }

    @ParameterizedTest
    @CsvSource({"EMBEDDED, INT, 130", "SUBMIT, INT, 130", "SUBMIT, TERM, 143", "CLUSTER, TERM, 143"})
    void aProcessThatIsToldToEndLeavesNothing(Way way, String signal, int status) throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        try (Gate gate = new Gate();
                Launched launched = spilling(way, gate, local)) {
            gate.next(); // the other task may wait for memory that this one holds
            assertFalse(segments(local).isEmpty(), "nothing was spilled");
            Processes.signal(signal, launched.pid());
            assertEquals(status, launched.status(), launched::errors);
            Processes.waitForTheEndOf(installation.processes()); // executors end shortly after their driver
            assertEquals(List.of(), files(local));
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "CLUSTER")
    void aFullDiskIsPassedOverWhereThereIsAnother(Way way) throws Exception {
        Path other = Files.createTempDirectory(scratch, "other");
        try (SmallDisk disk = SmallDisk.in(scratch, DISK_BYTES);
                Launched launched = launch(way, "spills", "0", disk + "," + other)) {
            assertEquals(0, launched.status(), launched::errors);
            assertEquals("right, spilled\n", launched.output());
            if (way == Way.SUBMIT) { // the other way of running has no log
                assertTrue(launched.errors().contains(disk + ": No space left on device"), launched::errors);
            }
            assertEquals(List.of(), files(disk.directory()));
            assertEquals(List.of(), files(other));
        }
    }

    @ParameterizedTest
    @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "CLUSTER")
    void aFullDiskWithoutAnotherFailsTheJobByName(Way way) throws Exception {
        try (SmallDisk disk = SmallDisk.in(scratch, DISK_BYTES);
                Launched launched = launch(way, "spills", "0", disk.directory())) {
            assertTrue(launched.status() != 0, launched::output);
            for (String said : List.of(disk + ": No space left on device", "free some space", "hearth.local.dir")) {
                assertTrue(launched.errors().contains(said), launched::errors);
            }
            assertEquals("", launched.output());
            assertEquals(List.of(), files(disk.directory()));
        }
    }

    @ParameterizedTest
    @CsvSource({"EMBEDDED, FLIPPED", "EMBEDDED, DELETED", "SUBMIT, FLIPPED", "SUBMIT, CUT", "CLUSTER, CUT"})
    void damagedOutputOfMapTasksIsMadeAgain(Way way, Damage damage) throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        try (Gate gate = new Gate();
                Launched launched = launch(way, "again", String.valueOf(gate.port()), local.toString())) {
            Gate.Visitor driver = gate.next();
            List<Path> found = segments(local);
            assertFalse(found.isEmpty(), "nothing lies on disk");
            for (Path segment : found) {
                damage.on(segment);
            }
            driver.pass();
            assertEquals(0, launched.status(), launched::errors);
            assertEquals("right, map tasks ran again\n", launched.output());
            assertEquals(List.of(), files(local));
        }
    }

    @ParameterizedTest
    @CsvSource({"EMBEDDED, FLIPPED", "SUBMIT, DELETED", "CLUSTER, FLIPPED"})
    void damagedSpillsOfAMapTaskHaveItMadeAgain(Way way, Damage damage) throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        try (Gate gate = new Gate();
                Launched launched = spilling(way, gate, local)) {
            damageAtTheGate(gate, local, damage);
            assertEquals(0, launched.status(), launched::errors);
            assertEquals("right, spilled, tasks ran again\n", launched.output());
            assertEquals(List.of(), files(local));
        }
    }

    @ParameterizedTest
    @CsvSource({"EMBEDDED, CUT, 1", "SUBMIT, FLIPPED, 1", "EMBEDDED, FLIPPED, 4", "SUBMIT, CUT, 4", "CLUSTER, CUT, 4"})
    void damagedRunsOfASortFailItsTaskByNameAndItIsTriedAgainWhereItMay(Way way, Damage damage, int failures)
            throws Exception {
        Path local = Files.createTempDirectory(scratch, "local");
        try (Gate gate = new Gate();
                Launched launched = launch(
                        way,
                        "merges",
                        String.valueOf(gate.port()),
                        local,
                        "hearth.memory.total=" + (way == Way.CLUSTER ? "1m" : "4m"), // there one task has all memory
                        "hearth.master=local[2," + failures + "]")) {
            List<Path> damaged = damageAtTheGate(gate, local, damage);
            if (failures > 1) {
                assertEquals(0, launched.status(), launched::errors);
                assertEquals("right, spilled\n", launched.output());
            } else {
                assertTrue(launched.status() != 0, launched::output);
                assertTrue(
                        damaged.stream().anyMatch(file -> launched.errors().contains(file.toString())),
                        launched::errors);
            }
            assertEquals(List.of(), files(local));
        }
    }

    /** Damages all files once a task waits at the gate, then opens the gate. */
    private static List<Path> damageAtTheGate(Gate gate, Path local, Damage damage) throws Exception {
        Gate.Visitor first = gate.next();
        List<Path> found = segments(local);
        assertFalse(found.isEmpty(), "nothing was spilled");
        List<Path> damaged = new ArrayList<>();
        for (Path segment : found) {
            try {
                damage.on(segment);
                damaged.add(segment);
            } catch (NoSuchFileException merged) { // tasks that do not wait continue
                assertFalse(Files.exists(segment));
            }
        }
        assertFalse(damaged.isEmpty(), "nothing could be damaged");
        gate.open();
        first.pass();
        return damaged;
    }

    /** The kinds of damage to a file. */
    enum Damage {
        FLIPPED {
            @Override
            void on(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2] ^= 4;
                Files.write(file, bytes);
            }
        },
        CUT {
            @Override
            void on(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
            }
        },
        DELETED {
            @Override
            void on(Path file) throws IOException {
                Files.delete(file);
            }
        };

        abstract void on(Path file) throws IOException;
    }

    private static Launched spilling(Way way, Gate gate, Path local) throws IOException {
        return launch(way, "spills", String.valueOf(gate.port()), local.toString());
    }

    private static Launched launch(Way way, String program, String port, Object local, String... settings)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                program,
                port,
                "hearth.local.dir=" + local,
                "hearth.memory.total=1m",
                "hearth.stage.maxConsecutiveAttempts=" + FILES_MAX,
                "hearth.shuffle.compress=false",
                "hearth.shuffle.spill.compress=false"));
        arguments.addAll(List.of(settings));
        return Launched.start(scratch, way.command(programs, MAIN, arguments));
    }

    /** All paths below the directory, without it. */
    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> !path.equals(directory)).sorted().toList();
        }
    }

    private static List<Path> segments(Path directory) throws IOException {
        return files(directory).stream()
                .filter(file -> file.getFileName().toString().startsWith("segment-"))
                .filter(Files::isRegularFile)
                .toList();
    }
}
