package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
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
    private PrintStream typed;
    private BufferedReader answers;
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
            String address = ready.line().substring(ready.line().lastIndexOf(' ') + 1);
            status = URI.create("http://" + address + "/api/v1/applications");
            dropTheCommands();
            Process shell = shell(address);
            try {
                comeOneByOne();
            } finally {
                typed.close();
                shell.waitFor();
            }
        }
        assertEquals(List.of(), installation.processes());
    }

    private void comeOneByOne() throws Exception {
        assertNoLocalManager();
        drop("hearth-local");
        assertEquals("count 3", ask("once", LOCAL));
        String absent = ask("once", "hearth.master=hearth://127.0.0.1:1");
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
        assertEquals("count 3", ask("once", LOCAL + logging));
        await("hearth.eventLog.enabled: has no effect, because no bundle of this process reads it (expected:"
                + " hearth-event-log); put hearth-event-log into bundles/ or deploy/");
        drop("hearth-status-api", "needs jackson-core, which is missing (expected: one jackson-core-<version>.jar");
        drop("hearth-event-log", "needs jackson-core, which is missing (expected: one jackson-core-<version>.jar");
        drop("jackson-core");
        await(named("hearth-status-api") + " runs");
        await(named("hearth-event-log") + " runs");
        assertEquals(200, status().statusCode());
        assertEquals("count 3", ask("once", LOCAL + logging));
        assertEquals(1, files(logs));
        try (Cluster cluster = Cluster.start(installation)) {
            assertEquals("count 3", ask("once", "hearth.cores.max=1 hearth.master=" + cluster.url()));
            ask("begin", LOCAL + logging);
            ask("begin", "hearth.cores.max=1 hearth.master=" + cluster.url());
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
            await(name + " " + NEW + " (" + name + ".jar) runs");
        }
        assertEquals("count 3", ask("once", LOCAL + logging));
        assertEquals("count 3", ask("once", cluster));
        assertEquals("no failure", ask("end", LOCAL + logging));
        assertEquals("no failure", ask("end", cluster));
        for (String name : REPLACED) {
            await(named(name) + " is gone");
        }
        poller.interrupt();
        poller.join();
        assertEquals(List.of(), List.copyOf(failed));
        assertTrue(asked.get() > 0);
        for (String name : REPLACED) {
            awaitCollected(name + " " + versions.get(name));
        }
    }

    private void goOneByOne() throws Exception {
        for (String name : REPLACED) {
            Files.delete(deploy.resolve(name + ".jar"));
            await(name + " " + NEW + " (" + name + ".jar) is gone");
        }
        for (String name : REPLACED) {
            awaitCollected(name + " " + NEW);
        }
        assertNoLocalManager();
        assertEquals(404, status().statusCode());
    }

    private void assertNoLocalManager() throws IOException {
        String absent = ask("once", LOCAL);
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

    private void dropTheCommands() throws IOException {
        new UserJar(Files.createDirectories(scratch.resolve("build")))
                .against(installation, "hearth-api-", "hearth-spi-", "org.apache.felix.framework-")
                .source("Runs")
                .header("Bundle-ManifestVersion", "2")
                .header("Bundle-SymbolicName", "runs")
                .header("Bundle-Version", "1.0.0")
                .header("Bundle-Activator", "runs.Runs")
                .header("Hearth-Role", "serve")
                .header(
                        "Import-Package",
                        "dev.hearth.api, dev.hearth.api.launch, dev.hearth.api.data;resolution:=optional,"
                                + " dev.hearth.spi.application, dev.hearth.spi.settings, org.osgi.framework")
                .write(deploy.resolve("runs.jar"));
        await("runs 1.0.0 (runs.jar) runs");
    }

    /** Starts a shell that runs commands in the serving process. */
    private Process shell(String address) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        installation.home().resolve("bin/hearth").toString(), "shell", "--to", address)
                .redirectError(scratch.resolve("shell.txt").toFile());
        builder.environment().put("HEARTH_CDS", SharedClasses.setting());
        Process shell = builder.start();
        typed = new PrintStream(shell.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
        return shell;
    }

    private String ask(String command, String argument) throws IOException {
        typed.println("apps:" + command + (argument.isEmpty() ? "" : " '" + argument + "'"));
        String answer = answers.readLine();
        return answer == null ? "no answer: " + shellErrors() : answer;
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
        await(line);
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

    private void awaitCollected(String bundle) {
        Eventually.until(
                "the classes of " + bundle + " are collected",
                () -> {
                    try {
                        ask("collect", "");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return serve.errors().contains("the classes of " + bundle + " were collected");
                },
                WAIT,
                serve::errors);
    }

    /** Waits for a line of the log; polls, because nothing signals that a file grew. */
    private void await(String text) {
        Eventually.until("a line with '" + text + "'", () -> serve.errors().contains(text), WAIT, serve::errors);
    }

    private String shellErrors() {
        try {
            return Files.readString(scratch.resolve("shell.txt"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
