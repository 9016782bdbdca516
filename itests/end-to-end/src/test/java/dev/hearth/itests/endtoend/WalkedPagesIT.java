package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows pages of docs/ as a new user does: creates the files that a page shows and types its commands, which are its
 * indented lines. Only the port of the master differs, because tests run at the same time.
 */
@Timeout(300)
class WalkedPagesIT {
    private static final Pattern FILE =
            Pattern.compile("^`([\\w./-]+)`\\n```\\w+\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern FENCED = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final String PORT = "7077";

    @TempDir
    Path scratch;

    private Installation installation;
    private Map<String, String> environment;
    private Path directory;
    private int port;

    @BeforeEach
    void unpack() throws IOException {
        installation = Installation.in(scratch);
        directory = Files.createDirectory(scratch.resolve("user"));
        port = FreePort.draw();
        environment = new TreeMap<>(Map.of(
                "HEARTH_HOME", installation.home().toString(),
                "HEARTH_MASTER_PORT", String.valueOf(port),
                "HEARTH_PID_DIR", scratch.resolve("pids").toString(),
                "HEARTH_LOG_DIR", scratch.resolve("logs").toString(),
                "HEARTH_WORKER_DIR", scratch.resolve("work").toString(),
                "HEARTH_CONF_DIR",
                        Files.createDirectory(scratch.resolve("conf")).toString(),
                "HOME", scratch.toString()));
    }

    @Test
    void buildsAndRunsTheProgramOfReadme() throws Exception {
        String page = read("../README.md");
        createFiles(page, installation.home());
        List<String> typed = commands(page, line -> line.matches("(javac|jar|sbin/|bin/).*"));
        assertTrue(typed.size() >= 9, typed::toString);
        try {
            String output = type(installation.home(), typed).output();
            assertEquals(4, output.lines().filter("14"::equals).count(), output);
        } finally {
            stopAll();
        }
    }

    @Test
    void buildsAndRunsTheBundlesOfThePageOnExtending() throws Exception {
        String page = read("extending.md");
        createFiles(page, directory);
        List<String> typed = commands(page, line -> line.matches("(javac|jar|cp|echo|\"\\$HEARTH_HOME/bin/\\S+) .*"));
        assertTrue(typed.size() > 25, typed::toString);
        String output = type(directory, typed).output();
        assertTrue(output.contains("hello, world\n"), output);
        assertEquals(4, output.split("Pi is roughly 3\\.", -1).length, output);
        assertEquals(2, output.split("to be\nor not to be\n", -1).length, output);
        assertTrue(output.contains("task 1 sees open-sesame\ntask 2 sees open-sesame\n"), output);
        assertEquals(List.of(), installation.processes());
    }

    @Test
    void buildsAndServesTheHandlerOfThePageOnHttp() throws Exception {
        String page = read("http.md");
        createFiles(page, directory);
        List<String> typed = new ArrayList<>(commands(page, line -> !line.contains("curl -N")));
        typed.add("timeout 2 curl -N localhost:7077/example/events || [[ $? == 124 ]]");
        try {
            String output = type(directory, typed).output();
            assertTrue(output.contains("{\"count\":0}{\"count\":1}"), output);
            assertTrue(output.contains("event: count\ndata: 1\n"), output);
        } finally {
            stopAll();
        }
    }

    @Test
    void walksThroughAStandaloneClusterAndItsSubmissionsByHttp() throws Exception {
        String page = read("standalone.md");
        List<String> typed = commands(
                page.substring(0, page.indexOf("## Several machines")),
                line -> !line.contains("DRIVER-ID") && !line.contains("stop-all"));
        assertTrue(typed.size() >= 7, typed::toString);
        try {
            String output = type(installation.home(), typed).output();
            assertTrue(output.startsWith("hearth://127.0.0.1:" + port + "\nworker-"), output);
            assertEquals(3, output.split("Pi is roughly 3\\.", -1).length, output);
            assertTrue(output.contains("FINISHED"), output);

            Matcher create = Pattern.compile(
                            "^ {4}(curl -X POST \\S+/create .*?^ {4}}')$", Pattern.DOTALL | Pattern.MULTILINE)
                    .matcher(read("rest.md"));
            assertTrue(create.find());
            String answer = type(installation.home(), List.of(create.group(1))).output();
            assertTrue(answer.contains("\"success\" : true"), answer);
            String id = answer.replaceFirst("(?s).*\"submissionId\" : \"(.*?)\".*", "$1");
            String ask = "curl -s http://127.0.0.1:7077/v1/submissions/status/" + id;
            Eventually.until(
                    id + " is finished",
                    () -> said(ask).contains("\"driverState\" : \"FINISHED\""),
                    Duration.ofMinutes(3),
                    () -> said(ask));
        } finally {
            stopAll();
        }
    }

    @Test
    void securesAClusterByASecretAndOwnCertificates() throws Exception {
        String page = read("security.md");
        String certificates =
                page.substring(page.indexOf("## Your own certificates"), page.indexOf("## Trusted networks"));
        List<String> settings =
                new ArrayList<>(commands(page.substring(0, page.indexOf("## Effect")), this::isSetting));
        settings.addAll(commands(certificates, this::isSetting));
        assertEquals(
                5, settings.stream().filter(line -> line.startsWith("hearth.")).count(), settings::toString);
        Files.write(Path.of(environment.get("HEARTH_CONF_DIR"), "hearth-defaults.conf"), settings);
        List<String> typed = new ArrayList<>(commands(page, line -> line.contains("> \"$HOME/hearth-secret\"")));
        typed.addAll(commands(certificates, line -> !isSetting(line)));
        assertTrue(typed.size() >= 7, typed::toString);
        type(directory, typed);
        try {
            String run =
                    "bin/submit --master hearth://127.0.0.1:7077 --class dev.hearth.examples.Pi examples/hearth-examples.jar";
            Ended ended = type(
                    installation.home(),
                    List.of(
                            "sbin/start-master",
                            "sbin/start-worker hearth://127.0.0.1:7077",
                            run,
                            "bin/hearth exec --to 127.0.0.1:7077 hearth:rpc"));
            assertTrue(ended.output.contains("Pi is roughly 3."), ended.output);
            assertTrue(ended.output.contains("TLS 1.3, proved"), ended.output);
            Ended stranger = bash(directory, "curl -s http://127.0.0.1:7077/; exit 0");
            assertTrue(stranger.output.startsWith("connection without TLS"), stranger.output);
        } finally {
            stopAll();
        }
    }

    private boolean isSetting(String line) {
        return line.startsWith("hearth.") || line.startsWith("# ");
    }

    private static String read(String page) throws IOException {
        return Files.readString(Path.of(Objects.requireNonNull(System.getProperty("hearth.docs")), page));
    }

    private static void createFiles(String page, Path where) throws IOException {
        for (var found : FILE.matcher(page).results().toList()) {
            Path place = where.resolve(found.group(1));
            Files.createDirectories(place.getParent());
            Files.writeString(place, found.group(2));
        }
    }

    /** The indented lines of a page outside its blocks. */
    private static List<String> commands(String page, Predicate<String> chosen) {
        return FENCED.matcher(page)
                .replaceAll("")
                .lines()
                .filter(line -> line.startsWith("    "))
                .map(String::strip)
                .filter(chosen)
                .toList();
    }

    /** Types lines, each of which must succeed. */
    private Ended type(Path where, List<String> lines) throws Exception {
        String script = lines.stream()
                .map(line -> line + "\nstatus=$?; if ((status)); then echo \"status $status\" >&2; exit 9; fi\n")
                .collect(Collectors.joining());
        Ended ended = bash(where, script);
        assertEquals(0, ended.status, () -> ended.output + ended.errors);
        return ended;
    }

    private String said(String command) {
        try {
            return bash(directory, command).output;
        } catch (Exception failure) {
            throw new AssertionError(command, failure);
        }
    }

    private void stopAll() throws Exception {
        bash(directory, "\"$HEARTH_HOME/sbin/stop-all\"");
        assertEquals(List.of(), installation.processes());
    }

    private Ended bash(Path where, String script) throws Exception {
        String here = script.replace(PORT, String.valueOf(port));
        List<String> command = List.of("bash", "-c", "cd \"$0\"\n" + here, where.toString());
        try (Launched launched = Launched.start(scratch, environment, command)) {
            return new Ended(launched.status(), launched.output(), launched.errors());
        }
    }

    private record Ended(int status, String output, String errors) {}
}
