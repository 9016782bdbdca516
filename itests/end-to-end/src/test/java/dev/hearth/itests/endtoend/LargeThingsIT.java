package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Moves large values, and files that only the driver's disk has, between a driver and executors with small heaps. */
@Timeout(180)
class LargeThingsIT {
    private static final String PROGRAM = "dev.hearth.itests.endtoend.app.LargeThings";
    private static final String THE_SAME = "the same\n";

    @TempDir
    Path scratch;

    private static final List<String> ENCRYPTED = List.of("--conf", "spark.io.encryption.enabled=true");

    private Installation installation;

    @BeforeEach
    void start() throws IOException {
        installation = Installation.in(scratch);
    }

    private List<String> command(String jar, List<String> flags, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                installation.home().resolve("bin").resolve("submit").toString(),
                "--master",
                "local-cluster[2,1,512]",
                "--driver-memory",
                "1g",
                "--conf",
                "hearth.local.dir=" + scratch.resolve("local"),
                "--conf",
                "hearth.localCluster.dir=" + scratch.resolve("work")));
        command.addAll(QuickCompilation.flags());
        command.addAll(flags);
        command.addAll(List.of("--class", PROGRAM, jar));
        command.addAll(List.of(arguments));
        return command;
    }

    private void assertOutput(String expected, List<String> flags, String... arguments) throws Exception {
        String jar = installation.applications().toString();
        try (Launched submit = Launched.start(scratch, command(jar, flags, arguments))) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals(expected, submit.output(), submit::errors);
        }
    }

    @Test
    void broadcastsFromTheDriversFile() throws Exception {
        assertOutput(THE_SAME, List.of(), "broadcast", "200");
    }

    @Test
    void broadcastsInChunks() throws Exception {
        assertOutput(THE_SAME, List.of("--conf", "hearth.shuffle.readHostLocalDisk=false"), "broadcast", "200");
    }

    @Test
    void bringsLargeResults() throws Exception {
        assertOutput(THE_SAME.repeat(4), List.of(), "results", "50");
    }

    @Test
    void encryptsThemOnDisksAndReadsThemEverywhere() throws Exception {
        assertOutput(THE_SAME, ENCRYPTED, "broadcast", "50");
        List<String> inChunks = new ArrayList<>(ENCRYPTED);
        inChunks.addAll(List.of("--conf", "hearth.shuffle.readHostLocalDisk=false"));
        assertOutput(THE_SAME, inChunks, "broadcast", "50");
        assertOutput(THE_SAME.repeat(4), ENCRYPTED, "results", "20");
    }

    @Test
    void refusesMoreResultsThanAreAllowed() throws Exception {
        List<String> flags = List.of("--conf", "hearth.driver.maxResultSize=10m");
        String jar = installation.applications().toString();
        try (Launched submit = Launched.start(scratch, command(jar, flags, "results", "6"))) {
            assertNotEquals(0, submit.status());
            String told = submit.errors();
            assertTrue(told.contains("bytes (expected: at most 10485760, from hearth.driver.maxResultSize)"), told);
        }
    }

    @Test
    void takesAnyAmountOfResultsWithoutABound() throws Exception {
        assertOutput(THE_SAME.repeat(4), List.of("--conf", "hearth.driver.maxResultSize=0"), "results", "6");
    }

    @Test
    void statesOneRuleForResultsWithoutRoomInTheHeap() throws Exception {
        List<String> flags = List.of("--conf", "hearth.driver.maxResultSize=0", "--driver-memory", "128m");
        String jar = installation.applications().toString();
        try (Launched submit = Launched.start(scratch, command(jar, flags, "results", "100"))) {
            assertNotEquals(0, submit.status());
            List<String> errors = submit.errors()
                    .lines()
                    .filter(line -> line.startsWith("error: "))
                    .toList();
            assertEquals(1, errors.size(), submit::errors);
            assertTrue(errors.get(0).contains("the driver's heap is too full for the result"), submit::errors);
            assertEquals(2, errors.get(0).split("\\(expected: ", -1).length, submit::errors);
        }
    }

    /** {@code /proc/self/cwd} is a different directory for each process. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void runsAJarAndReadsFilesThatTheDriverAloneSees() throws Exception {
        Path directory = Files.createDirectory(scratch.resolve("driver"));
        Files.copy(installation.applications(), directory.resolve("program.jar"));
        Files.writeString(directory.resolve("note.txt"), "a note");
        try (OutputStream file = Files.newOutputStream(directory.resolve("more.zip"));
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry("inside.txt"));
            zip.write("and more".getBytes(StandardCharsets.UTF_8));
        }
        String here = "/proc/self/cwd/";
        List<String> command = new ArrayList<>(List.of("bash", "-c", "cd \"$0\" && exec \"$@\"", directory.toString()));
        command.addAll(command(here + "program.jar", List.of(), "files", here + "note.txt", here + "more.zip"));
        try (Launched submit = Launched.start(scratch, command)) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("a note and more\n", submit.output(), submit::errors);
        }
    }
}
