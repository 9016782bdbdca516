package dev.hearth.yarn.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands of containers by bash, as the launch script of a NodeManager does, with a Java that prints its arguments. */
@Timeout(60)
class ContainerCommandTest {
    @TempDir
    Path directory;

    private Path java;
    private Path logs;

    @BeforeEach
    void create() throws IOException {
        java = Files.createDirectories(directory.resolve("a java"));
        logs = Files.createDirectories(directory.resolve("the logs"));
        Path program = Files.createDirectories(java.resolve("bin")).resolve("java");
        Files.writeString(program, """
                #!/bin/bash
                echo "status of the driver: $HEARTH_EXIT_STATUS"
                for word in "$@"; do echo "[$word]"; done
                echo "an error" >&2
                [ "$1" = leave-note ] && touch exit-note
                exit 9
                """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        release("17.0.15");
    }

    private void release(String version) throws IOException {
        Files.writeString(java.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    }

    /** Puts the command into a script as NodeManagers do, and returns the exit status. */
    private int run(List<String> command) throws Exception {
        String expanded = String.join(" ", command)
                .replace("<LOG_DIR>", logs.toString())
                .replace("{{", "$")
                .replace("}}", "");
        Path script = directory.resolve("launch_container.sh");
        Files.writeString(
                script,
                "export JAVA_HOME=\"" + java + "\"\nexport PWD=\"" + directory + "\"\nexec /bin/bash -c \"" + expanded
                        + "\"\n");
        Process process = new ProcessBuilder("/bin/bash", script.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        return process.exitValue();
    }

    private String log(String name) throws IOException {
        return Files.readString(logs.resolve(name));
    }

    @Test
    void passesEachWordAsItIsAndKeepsTheLogs() throws Exception {
        List<String> words = List.of(
                "java",
                "plain",
                "$HOME",
                "`id`",
                "two words",
                "a \"quote\"",
                "it's",
                "back\\slash",
                "-Dx={{PWD}}/tmp",
                "*");
        assertEquals(9, run(ContainerCommand.of(words, Optional.empty())));
        assertEquals(
                "status of the driver: \n[plain]\n[$HOME]\n[`id`]\n[two words]\n[a \"quote\"]\n[it's]\n[back\\slash]\n[-Dx="
                        + directory + "/tmp]\n[*]\n",
                log("stdout"));
        assertEquals("an error\n", log("stderr"));
        assertTrue(Files.isDirectory(directory.resolve("tmp")));
    }

    @Test
    void refusesAnOlderJavaWithASentence() throws Exception {
        for (String version : List.of("11.0.2", "1.8.0_402", "9")) {
            release(version);
            assertEquals(7, run(ContainerCommand.of(List.of("java"), Optional.empty())), version);
            assertTrue(log("stderr").contains("(expected: Java 17 or later"), log("stderr"));
            assertTrue(log("stderr").contains("hearth.yarn.java.home"), log("stderr"));
        }
    }

    @Test
    void acceptsAJavaThatDoesNotTellItsVersion() throws Exception {
        Files.delete(java.resolve("release"));
        assertEquals(9, run(ContainerCommand.of(List.of("java"), Optional.empty())));
        release("25");
        assertEquals(9, run(ContainerCommand.of(List.of("java"), Optional.empty())));
    }

    @Test
    void saysThatANodeHasNoJava() throws Exception {
        assertEquals(7, run(ContainerCommand.of(List.of("java"), Optional.of(directory + "/none"))));
        assertTrue(log("stderr").contains("no bin/java"), log("stderr"));
    }

    @Test
    void takesTheJavaThatASettingNames() throws Exception {
        assertEquals(9, run(ContainerCommand.of(List.of("java", "x"), Optional.of(java.toString()))));
    }

    @Test
    void startsAnotherProcessIfTheFirstLeavesANote() throws Exception {
        List<String> after = List.of("java", "after");
        assertEquals(9, run(ContainerCommand.of(List.of("java", "first"), after, Optional.empty())));
        assertFalse(log("stdout").contains("after"), log("stdout"));
        assertEquals(9, run(ContainerCommand.of(List.of("java", "leave-note"), after, Optional.empty())));
        assertTrue(log("stdout").endsWith("status of the driver: 9\n[after]\n"), log("stdout"));
    }
}
