package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Drops all managers and front ends into deploy/ of one running kernel, one by one. Applications in that kernel use
 * them, while they are replaced, and until they are removed again.
 */
@Timeout(180)
class DroppedBundlesIT {
    private static final List<String> REPLACED =
            List.of("hearth-local", "hearth-standalone", "hearth-submission", "hearth-event-log", "hearth-status-api");
    private static final List<String> OTHERS =
            List.of("hearth-shell-submit", "hearth-rest", "hearth-kubernetes", "jackson-core");
    private static final String NEW = "9.0.0";
    private static final String LOCAL = "hearth.master=local[2]";
    private static final Duration WAIT = Duration.ofMinutes(3);

    @TempDir
    Path scratch;

    private final Map<String, Path> jars = new LinkedHashMap<>();
    private final Map<String, String> versions = new LinkedHashMap<>();
    private Installation installation;
    private Path deploy;
    private Launched serve;
    private ApplicationsShell shell;
    private URI status;

    @Test
    void serveApplicationsAreReplacedUnderThemAndGo() throws Exception {
        installation = Installation.in(scratch);
        deploy = Files.createDirectories(installation.home().resolve("deploy"));
        Files.writeString(installation.home().resolve("conf/hearth-defaults.conf"), "hearth.log.level INFO\n");
        for (String name : REPLACED) {
            takeOut(name);
        }
        OTHERS.forEach(this::takeOut);
        Launched.Ready ready = installation.daemon("serve", "--conf", "hearth.rest.anonymous=true");
        try (Launched running = ready.process()) {
            serve = running;
            String address = ApplicationsShell.addressOf(ready);
            status = URI.create("http://" + address + "/api/v1/applications");
            try (ApplicationsShell opened = ApplicationsShell.open(installation, scratch, ready, WAIT)) {
                shell = opened;
                comeOneByOne();
            }
        }
        assertEquals(List.of(), installation.processes());
    }

    private void comeOneByOne() throws Exception {
        assertNoLocalManager();
        drop("hearth-local");
        assertEquals("count 3", shell.ask("once", LOCAL));
        String absent = shell.ask("once", "hearth.master=hearth://127.0.0.1:1");
        assertTrue(absent.endsWith("put hearth-standalone into bundles/ or deploy/"), absent);
        assertEquals(404, status().statusCode());

        try (Launched submit = installation.submit("--version")) {
            assertEquals(2, submit.status(), submit::errors);
            assertTrue(submit.errors().endsWith("; put hearth-shell-submit into bundles/\n"), submit::errors);
        }
        drop("hearth-submission");
        drop("hearth-shell-submit", named("hearth-shell-submit") + " does not start now: it is for the roles [submit]");
        try (Launched submit = installation.submit(
                "--master",
                "local[2]",
                "--class",
                "dev.hearth.examples.Pi",
                installation.examples().toString(),
                "2")) {
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().startsWith("Pi is roughly 3."), submit::output);
        }
        drop("hearth-standalone");
        Path logs = Files.createDirectories(scratch.resolve("logs"));
        String logging = " hearth.eventLog.enabled=true hearth.eventLog.dir=" + logs;
        assertEquals("count 3", shell.ask("once", LOCAL + logging));
        shell.await("hearth.eventLog.enabled: has no effect, because no bundle of this process reads it (expected:"
                + " hearth-event-log); put hearth-event-log into bundles/ or deploy/");
        drop("hearth-status-api", "needs jackson-core, which is missing (expected: one jackson-core-<version>.jar");
        drop("hearth-event-log", "needs jackson-core, which is missing (expected: one jackson-core-<version>.jar");
        drop("jackson-core");
        shell.await(named("hearth-status-api") + " runs");
        shell.await(named("hearth-event-log") + " runs");
        assertEquals(200, status().statusCode());
        assertEquals("count 3", shell.ask("once", LOCAL + logging));
        assertEquals(1, files(logs));
        try (Cluster cluster = Cluster.start(installation)) {
            assertEquals("count 3", shell.ask("once", "hearth.cores.max=1 hearth.master=" + cluster.url()));
            shell.ask("begin", LOCAL + logging);
            shell.ask("begin", "hearth.cores.max=1 hearth.master=" + cluster.url());
            replaceUnder("hearth.cores.max=1 hearth.master=" + cluster.url(), logging);
        }
        goOneByOne();
        assertEquals(List.of(), errorsOf(serve));
    }

    private void replaceUnder(String cluster, String logging) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Queue<String> failed = new ConcurrentLinkedQueue<>();
        Thread poller = new Thread(() -> poll(asked, failed), "poller");
        poller.start();
        for (String name : REPLACED) {
            ExternalPlugin.replace(newer(name), deploy.resolve(name + ".jar"));
        }
        for (String name : REPLACED) {
            shell.await(name + " " + NEW + " (" + name + ".jar) runs");
        }
        assertEquals("count 3", shell.ask("once", LOCAL + logging));
        assertEquals("count 3", shell.ask("once", cluster));
        assertEquals("no failure", shell.ask("end", LOCAL + logging));
        assertEquals("no failure", shell.ask("end", cluster));
        for (String name : REPLACED) {
            shell.await(named(name) + " is gone");
        }
        poller.interrupt();
        poller.join();
        assertEquals(List.of(), List.copyOf(failed));
        assertTrue(asked.get() > 0);
        for (String name : REPLACED) {
            shell.awaitCollected(name + " " + versions.get(name));
        }
    }

    private void goOneByOne() throws Exception {
        for (String name : REPLACED) {
            Files.delete(deploy.resolve(name + ".jar"));
            shell.await(name + " " + NEW + " (" + name + ".jar) is gone");
        }
        for (String name : REPLACED) {
            shell.awaitCollected(name + " " + NEW);
        }
        assertNoLocalManager();
        assertEquals(404, status().statusCode());
    }

    private void assertNoLocalManager() throws IOException {
        String absent = shell.ask("once", LOCAL);
        assertTrue(
                absent.endsWith("not installed (expected: one of []); check the master URL, or put hearth-local into"
                        + " bundles/ or deploy/"),
                absent);
    }

    private void poll(AtomicInteger asked, Queue<String> failed) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                HttpResponse<String> response = status();
                asked.incrementAndGet();
                if (response.statusCode() != 200) {
                    failed.add(response.statusCode() + " " + response.body());
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (IOException broken) {
            failed.add(broken.toString());
        }
    }

    private HttpResponse<String> status() throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(status).build(), HttpResponse.BodyHandlers.ofString());
    }

    private void takeOut(String name) {
        Path bundles = installation.home().resolve("bundles");
        try (Stream<Path> found = Files.list(bundles)) {
            List<Path> own = found.filter(jar -> jar.getFileName().toString().matches(name + "-\\d.*"))
                    .toList();
            assertEquals(1, own.size(), name);
            Path out = Files.createDirectories(scratch.resolve("out"))
                    .resolve(own.get(0).getFileName());
            Files.move(own.get(0), out);
            jars.put(name, out);
            try (JarFile jar = new JarFile(out.toFile())) {
                versions.put(name, jar.getManifest().getMainAttributes().getValue("Bundle-Version"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void drop(String name) throws IOException {
        drop(name, named(name) + " runs");
    }

    private void drop(String name, String line) throws IOException {
        ExternalPlugin.replace(jars.get(name), deploy.resolve(name + ".jar"));
        shell.await(line);
    }

    /** The bundle in the log of the deployer; a library has another symbolic name than its jar. */
    private String named(String name) {
        return (name.equals("jackson-core") ? "com.fasterxml.jackson.core.jackson-core" : name) + " "
                + versions.get(name) + " (" + name + ".jar)";
    }

    /** A copy of the jar with a higher version in its manifest. */
    private Path newer(String name) throws IOException {
        return ExternalPlugin.withVersion(
                Objects.requireNonNull(jars.get(name)), NEW, scratch.resolve(name + "-" + NEW + ".jar"));
    }

    private static long files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }

    private static List<String> errorsOf(Launched process) {
        return new ArrayList<>(process.errors()
                .lines()
                .filter(line -> line.contains(" ERROR "))
                .toList());
    }
}
