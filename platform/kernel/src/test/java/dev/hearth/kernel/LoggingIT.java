package dev.hearth.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Destination of a process's log, which is never standard output. */
@Timeout(60)
class LoggingIT {
    @TempDir
    static Path directory;

    static TestingHome home;

    @BeforeAll
    static void makeHome() throws IOException {
        home = new TestingHome(directory.resolve("home"));
    }

    @Test
    void writesLinesToStandardErrorAndChangesLevelsWhileItRuns() throws Exception {
        Ended ended = run(List.of("-Dhearth.log.roleLevel=INFO"));
        assertEquals("levels {ROOT=WARN, dev.hearth=INFO}\n", ended.output);
        List<String> lines = ended.errors.lines().toList();
        assertTrue(lines.get(0).endsWith(" WARN  [main] probe: seen one"), ended.errors);
        assertTrue(lines.get(1).endsWith(" DEBUG [main] probe: seen two"), ended.errors);
        assertFalse(ended.errors.contains("hidden"), ended.errors);
    }

    @Test
    void writesNothingToStandardOutputHoweverMuchItLogs() throws Exception {
        Ended ended = run(List.of("-Dhearth.log.level=trace"));
        assertEquals("levels {ROOT=WARN, dev.hearth=TRACE}\n", ended.output);
        assertTrue(ended.errors.contains("hidden"), ended.errors);
    }

    @Test
    void writesOneJsonObjectPerLine() throws Exception {
        Ended ended = run(List.of("-Dhearth.log.format=json"));
        String line = ended.errors.lines().findFirst().orElseThrow();
        assertTrue(line.matches("\\{\"timestamp\":\"\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}(Z|[+-][0-9:]{5})\".*\\}"), line);
        assertFalse(line.contains("mdc") || line.contains("\\/"), line);
        assertTrue(line.contains("\"loggerName\":\"dev.hearth.probe\""), line);
        assertTrue(line.contains("\"formattedMessage\":\"seen one\""), line);
    }

    @Test
    void writesToAFileOfTheRole() throws Exception {
        Path logs = directory.resolve("logs of a role");
        Ended ended = run(List.of("-Dhearth.log.file=" + logs.resolve("{role}-100%.log")));
        assertEquals("probe bundle stopped\n", ended.errors);
        assertTrue(Files.readString(logs.resolve("probe-100%.log")).contains("seen one"));
    }

    @Test
    void refusesWhatItCannotDoInOneLine() throws Exception {
        Path blocked = Files.createFile(directory.resolve("blocked"));
        Ended file = run(List.of("-Dhearth.log.file=" + blocked.resolve("a.log")), 2);
        assertTrue(file.errors.startsWith("error: hearth.log.file: " + blocked), file.errors);
        assertEquals(1, file.errors.lines().count(), file.errors);
        Ended level = run(List.of("-Dhearth.log.level=loud", "-Dhearth.log.format=xml"), 2);
        assertTrue(level.errors.contains("hearth.log.level: loud (expected: one of [trace, "), level.errors);
        assertTrue(level.errors.contains("hearth.log.format: xml (expected: one of [text, json])"), level.errors);
    }

    @Test
    void leavesEverythingToTheConfigurationOfAPerson() throws Exception {
        TestingHome own = new TestingHome(directory.resolve("own"));
        Files.writeString(own.root.resolve("conf/logback.xml"), """
                <configuration>
                  <appender name="E" class="ch.qos.logback.core.ConsoleAppender">
                    <target>System.err</target><encoder><pattern>mine %msg%n</pattern></encoder>
                  </appender>
                  <root level="WARN"><appender-ref ref="E"/></root>
                </configuration>
                """);
        Process process = own.start(List.of("-Dhearth.log.format=json"), "probe", "log");
        String output = TestingHome.text(process.getInputStream());
        String errors = TestingHome.text(process.getErrorStream());
        assertEquals("levels {ROOT=WARN}\n", output, errors);
        assertEquals("mine seen one\nmine seen two\nprobe bundle stopped\n", errors);
    }

    private static Ended run(List<String> jvmOptions) throws Exception {
        return run(jvmOptions, 0);
    }

    private static Ended run(List<String> jvmOptions, int status) throws Exception {
        Process process = home.start(jvmOptions, "probe", "log");
        process.getOutputStream().close();
        String output = TestingHome.text(process.getInputStream());
        String errors = TestingHome.text(process.getErrorStream());
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), "still alive");
        assertEquals(status, process.exitValue(), errors);
        return new Ended(output, errors);
    }

    private record Ended(String output, String errors) {}
}
