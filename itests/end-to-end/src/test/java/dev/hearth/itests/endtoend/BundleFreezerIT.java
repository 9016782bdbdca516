package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks bundles of deploy/ used by tasks: executors keep running the versions of the application's start, whatever is
 * deployed later.
 */
@Timeout(180)
class BundleFreezerIT {
    @TempDir
    Path scratch;

    private final List<Gate.Visitor> early = new ArrayList<>();
    private Installation installation;
    private Gate gate;
    private Path deploy;
    private Path local;

    @BeforeEach
    void start() throws IOException {
        installation = Installation.in(scratch);
        gate = new Gate();
        deploy = Files.createDirectories(installation.home().resolve("deploy"));
        local = Files.createDirectories(scratch.resolve("local"));
        new UserJar(work("letters"))
                .source("Letters")
                .header("Bundle-ManifestVersion", "2")
                .header("Bundle-SymbolicName", "letters")
                .header("Bundle-Version", "1.0.0")
                .header("Export-Package", "letters;version=\"1.0.0\"")
                .write(deploy.resolve("letters.jar"));
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        gate.close();
        for (ProcessHandle process : installation.processes()) {
            process.onExit().join();
        }
    }

    @Test
    void executorsRunWhatTheirApplicationBeganWith() throws Exception {
        Path dropped = words("1.0.0", deploy.resolve("words.jar"));
        byte[] first = Files.readAllBytes(dropped);
        try (Launched submit = submit()) {
            Gate.Visitor driver = next("words-1.0.0");
            next("driver").pass();
            Set<Long> started = new TreeSet<>(
                    List.of(next("words-1.0.0").pid(), next("words-1.0.0").pid()));
            Gate.Visitor one = next("task");
            Gate.Visitor other = next("task");
            assertEquals(started, new TreeSet<>(List.of(one.pid(), other.pid())), "tasks run where the bundle does");
            words("2.0.0", dropped);
            assertEquals(driver.pid(), next("words-2.0.0").pid(), "the driver alone follows deploy/");
            List<Path> cached = cached(first);
            assertEquals(1, cached.size(), "a machine's executors share a copy");
            Files.write(cached.get(0), new byte[first.length]);
            one.kill();
            Gate.Visitor late = next("words-1.0.0");
            Gate.Visitor task = next("task");
            assertNotEquals(one.pid(), late.pid());
            assertEquals(late.pid(), task.pid());
            assertEquals(cached, cached(first), "what was damaged came anew");
            task.pass();
            other.pass();
            gate.open();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("driver words 1.0.0, tasks [words 1.0.0]\n", submit.output());
        }
    }

    @Test
    void anApplicationFailsWhoseBundleStartsInNoExecutor() throws Exception {
        words("3.0.0", deploy.resolve("words.jar"));
        gate.open();
        try (Launched submit = submit()) {
            assertEquals(1, submit.status(), submit::errors);
            String told = submit.errors();
            assertTrue(told.contains("exit status 7"), told);
            assertTrue(told.contains("bundle words 3.0.0 of the driver: not started, its activator threw"), told);
        }
    }

    /** The next visitor with this name; other visitors wait for their own calls. */
    private Gate.Visitor next(String who) throws InterruptedException {
        for (Gate.Visitor visitor : early) {
            if (visitor.who().equals(who)) {
                early.remove(visitor);
                return visitor;
            }
        }
        for (Gate.Visitor visitor = gate.next(); ; visitor = gate.next()) {
            if (visitor.who().equals(who)) {
                return visitor;
            }
            early.add(visitor);
        }
    }

    private Launched submit() throws IOException {
        Path application = new UserJar(work("wording"))
                .against(installation, "hearth-api-")
                .against(
                        installation.applications().toString(),
                        deploy.resolve("words.jar").toString())
                .source("Wording")
                .header("Hearth-Requires", "words")
                .write(scratch.resolve("wording.jar"));
        return installation.submit(
                "--master",
                "local-cluster[2,1,512]",
                "--conf",
                "hearth.localCluster.dir=" + scratch.resolve("work"),
                "--conf",
                "hearth.local.dir=" + local,
                "--jars",
                installation.applications().toString(),
                "--class",
                "user.Wording",
                application.toString(),
                String.valueOf(gate.port()));
    }

    /** A bundle that offers a package to applications and imports one of another bundle. */
    private Path words(String version, Path jar) throws IOException {
        return new UserJar(work("words-" + version))
                .against(installation, "org.apache.felix.framework-")
                .against(deploy.resolve("letters.jar").toString())
                .source("Words")
                .source("Arrival")
                .text("VERSION", version)
                .text("PORT", String.valueOf(gate.port()))
                .header("Bundle-ManifestVersion", "2")
                .header("Bundle-SymbolicName", "words")
                .header("Bundle-Version", version)
                .header("Bundle-Activator", "words.arrival.Arrival")
                .header("Import-Package", "letters, org.osgi.framework")
                .header("Hearth-Application-Api", "words")
                .write(jar);
    }

    /** The files with these bytes in the executors' caches. */
    private List<Path> cached(byte[] content) throws IOException {
        try (Stream<Path> files = Files.walk(local)) {
            List<Path> found = new ArrayList<>();
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                if (file.getParent().getFileName().toString().startsWith("hearth-cache-")
                        && Arrays.equals(content, Files.readAllBytes(file))) {
                    found.add(file);
                }
            }
            return found;
        }
    }

    private Path work(String name) throws IOException {
        return Files.createDirectories(scratch.resolve("build").resolve(name));
    }
}
