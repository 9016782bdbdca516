package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Takes jars out of bundles/ of an installation and puts them back: the roles follow, without a change of any file. */
@Timeout(180)
class DiscoveredBundlesIT {
    private static final List<String> MANAGERS_AND_FRONT_ENDS = List.of(
            "hearth-local",
            "hearth-standalone",
            "hearth-kubernetes",
            "hearth-submission",
            "hearth-shell-submit",
            "hearth-event-log",
            "hearth-status-api",
            "hearth-rest",
            "jackson-core");
    private static final String PI = "dev.hearth.examples.Pi";
    private static final Pattern SERVING = Pattern.compile("serving (.+) at (127\\.0\\.0\\.1:\\d+)");
    private static final Pattern MAIN = Pattern.compile("([a-z;]+);main=true");
    private static final Pattern DRIVER_SETTINGS = Pattern.compile("driver;[^,]*when=\"([^\"]*)\"");
    private static final Pattern MASTER = Pattern.compile("master:[a-z0-9-]+");

    @TempDir
    Path scratch;

    @Test
    void servesWithoutAnyManagerAndTakesOneThatIsPutThere() throws Exception {
        Installation installation = Installation.in(scratch);
        for (String bundle : MANAGERS_AND_FRONT_ENDS) {
            takeOut(installation, bundle);
        }
        assertServes(installation);
        assertOneLine(installation.hearth("master", "--port", "0"), 2, "; put hearth-standalone into bundles/\n");
        assertOneLine(installation.submit("--version"), 2, "; put hearth-shell-submit into bundles/\n");
        putBack(installation, "hearth-standalone");
        try (Launched master = installation.daemon("master", "--port", "0").process()) {
            assertTrue(master.output().startsWith("hearth://127.0.0.1:"), master::output);
        }
    }

    @Test
    void runsEverythingElseWithoutTheStandaloneManager() throws Exception {
        Installation installation = Installation.in(scratch);
        takeOut(installation, "hearth-standalone");
        assertServes(installation);
        String examples = installation.examples().toString();
        try (Launched local = installation.submit("--master", "local[2]", "--class", PI, examples, "2")) {
            assertEquals(0, local.status(), local::errors);
            assertTrue(local.output().startsWith("Pi is roughly 3."), local::output);
        }
        assertOneLine(
                installation.submit("--master", "hearth://127.0.0.1:1", "--class", PI, examples, "2"),
                2,
                "not installed (expected: one of [k8s, local, local-cluster]); check the master URL, or put"
                        + " hearth-standalone into bundles/ or deploy/");
        try (Launched exec = installation.hearth("exec", "managers --json")) {
            assertEquals(0, exec.status(), exec::errors);
            assertTrue(exec.output().contains("[\"local\"]"), exec::output);
        }
        assertOneLine(
                installation.hearth("exec", "status driver-1 hearth://127.0.0.1:1"),
                2,
                "put hearth-standalone into bundles/ or deploy/");
    }

    @Test
    void startsAManagerOfOthersForItsScheme() throws Exception {
        Installation installation = Installation.in(scratch);
        Path jar = new ExternalPlugin("manager", scratch).build(installation, "1.0");
        ExternalPlugin.drop(jar, installation.home().resolve("bundles"));
        String debug = "-Dhearth.log.level=DEBUG";
        String examples = installation.examples().toString();
        for (String master : List.of("example://cores/2", "local[2]")) {
            try (Launched submit = installation.submit(
                    "--master", master, "--driver-java-options", debug, "--class", PI, examples, "2")) {
                assertEquals(0, submit.status(), submit::errors);
                assertTrue(submit.output().startsWith("Pi is roughly 3."), submit::output);
                boolean isStarted = submit.errors().contains("on-demand bundles example-manager: needed");
                assertEquals(master.startsWith("example"), isStarted, submit::errors);
            }
        }
    }

    @Test
    void opensNoPortForShellsThatAreDisabled() throws Exception {
        Installation installation = Installation.in(scratch);
        Launched.Ready ready = installation.daemon("serve", "--conf", "hearth.shell.enabled=false");
        try (Launched serve = ready.process()) {
            assertEquals("serving " + installation.home(), ready.line(), serve::errors);
        }
    }

    @Test
    void namesInItsHintsWhatTheManifestsSay() throws Exception {
        Path home = Installation.in(scratch).home();
        SortedSet<String> offers = new TreeSet<>(List.of( // not in the distribution
                "role:history\thearth-history",
                "master:yarn\thearth-yarn and hearth-hadoop-client of the distribution hearth-with-hadoop"));
        try (Stream<Path> jars = Files.list(home.resolve("bundles"))) {
            for (Path jar : jars.toList()) {
                addOffers(jar, offers);
            }
        }
        assertEquals(offers, new TreeSet<>(Files.readAllLines(home.resolve("lib/bundles.tsv"))));
    }

    private static void addOffers(Path file, SortedSet<String> offers) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            String header = jar.getManifest().getMainAttributes().getValue("Hearth-Role");
            String name = jar.getManifest().getMainAttributes().getValue("Bundle-SymbolicName");
            if (header == null) {
                return;
            }
            Matcher main = MAIN.matcher(header);
            while (main.find()) {
                for (String role : List.of(main.group(1).split(";", -1))) {
                    offers.add("role:" + role + "\t" + name);
                }
            }
            Matcher settings = DRIVER_SETTINGS.matcher(header);
            while (settings.find()) {
                for (String setting : settings.group(1).split(" ", -1)) {
                    if (!setting.contains(":")) { // a master, a scheme, a service or an endpoint
                        offers.add("setting:" + setting + "\t" + name);
                    }
                }
            }
            Matcher master = MASTER.matcher(header);
            while (master.find()) {
                offers.add(master.group() + "\t" + name);
            }
        }
    }

    /** Starts the roles serve, exec and shell, and runs commands in the serving process. */
    private void assertServes(Installation installation) throws Exception {
        Launched.Ready ready = installation.daemon("serve");
        try (Launched serve = ready.process()) {
            Matcher serving = SERVING.matcher(ready.line());
            assertTrue(serving.matches(), () -> ready.line() + serve.errors());
            assertEquals(installation.home().toString(), serving.group(1));
            try (Launched exec = installation.hearth("exec", "--to", serving.group(2), "info")) {
                assertEquals(0, exec.status(), () -> exec.errors() + serve.errors());
                assertTrue(exec.output().startsWith("role          serve\n"), exec::output);
            }
        }
        try (Launched exec = installation.hearth("exec", "info")) {
            assertEquals(0, exec.status(), exec::errors);
            assertEquals("", exec.errors());
        }
        try (Launched shell = installation.hearth("shell", "--help")) {
            assertEquals(0, shell.status(), shell::errors);
            assertTrue(shell.output().startsWith("usage: hearth shell"), shell::output);
            assertEquals("", shell.errors());
        }
    }

    private void takeOut(Installation installation, String bundle) throws IOException {
        Path jar = only(installation.home().resolve("bundles"), bundle);
        Files.move(jar, Files.createDirectories(scratch.resolve("out")).resolve(jar.getFileName()));
    }

    private void putBack(Installation installation, String bundle) throws IOException {
        Path jar = only(scratch.resolve("out"), bundle);
        Files.move(jar, installation.home().resolve("bundles").resolve(jar.getFileName()));
    }

    private static Path only(Path directory, String bundle) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> jars = Files.list(directory)) {
            jars.filter(jar -> jar.getFileName().toString().matches(Pattern.quote(bundle) + "-\\d.*"))
                    .forEach(found::add);
        }
        assertEquals(1, found.size(), found::toString);
        return found.get(0);
    }

    private static void assertOneLine(Launched launched, int status, String part) throws Exception {
        try (launched) {
            assertEquals(status, launched.status(), launched::errors);
            assertEquals(1, launched.errors().lines().count(), launched::errors);
            assertTrue(launched.errors().startsWith("error: "), launched::errors);
            assertTrue(launched.errors().contains(part), launched::errors);
            assertEquals("", launched.output());
        }
    }
}
