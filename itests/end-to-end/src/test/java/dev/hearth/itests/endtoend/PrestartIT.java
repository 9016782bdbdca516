package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers that start the processes of drivers and executors before they are needed. */
@Timeout(180)
class PrestartIT {
    private static final String PLACE = "dev.hearth.itests.endtoend.app.ShowsPlace";
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final String[] WAITS = {"driver", "executor"};

    @TempDir
    Path scratch;

    /** A line of {@link dev.hearth.itests.endtoend.app.ShowsPlace}. */
    private record Place(String who, long pid, boolean prestarted, Path directory) {
        static Place of(String line) {
            String[] words = line.split(" ", 4);
            return new Place(words[0], Long.parseLong(words[1]), words[2].equals("hearth"), Path.of(words[3]));
        }
    }

    @Test
    void runsTheNextApplicationInProcessesThatWait() throws Exception {
        Installation installation = Installation.in(scratch);
        try (Cluster cluster = start(installation, "60s")) {
            assertEquals(List.of(false, false), prestarted(submit(installation, cluster)));
            List<Long> waiting = await(installation, WAITS);
            List<Place> places = submit(installation, cluster);
            assertEquals(List.of(true, true), prestarted(places));
            assertEquals(waiting, places.stream().map(Place::pid).sorted().toList());
            for (Place place : places) {
                Path work = installation.scratch().resolve("work").toRealPath();
                assertTrue(place.directory().startsWith(work), place::toString);
                assertFalse(place.directory().startsWith(work.resolve(".prestarted")), place::toString);
                assertEquals(
                        "relative absolute " + place.who(),
                        Files.readString(place.directory().resolve("left.txt")));
                assertTrue(Files.exists(place.directory().resolve("stderr")), place::toString);
            }

            // killed before they are needed: the next application starts its own
            await(installation, WAITS).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            await(installation);
            assertEquals(List.of(false, false), prestarted(submit(installation, cluster)));

            // other options of Java: a process with those, not the one that waits
            await(installation, WAITS);
            assertEquals(List.of(true, false), prestarted(submit(installation, cluster, "--executor-memory", "300m")));
            await(installation, WAITS);
            assertEquals(List.of(true, true), prestarted(submit(installation, cluster, "--executor-memory", "300m")));

            // another state of the installation
            await(installation, WAITS);
            Files.writeString(installation.home().resolve("conf/added.properties"), "a=b\n");
            assertEquals(List.of(false, false), prestarted(submit(installation, cluster, "--executor-memory", "300m")));
            await(installation, WAITS);
        }
        Processes.waitForTheEndOf(installation.processes());
        assertEquals(List.of(), left(installation));
    }

    @Test
    void endsProcessesThatNobodyNeeds() throws Exception {
        Installation installation = Installation.in(scratch);
        try (Cluster cluster = start(installation, "15s")) {
            submit(installation, cluster);
            Set<ProcessHandle> seen = new HashSet<>(); // on a busy machine one may end before the other one waits
            Eventually.until(
                    "a driver and an executor that waited",
                    () -> {
                        seen.addAll(waiting(installation));
                        return seen.size() == WAITS.length;
                    },
                    BOUND,
                    () -> installation.processes().toString());
            seen.forEach(process -> process.onExit().join());
            await(installation);
            assertTrue(cluster.worker().isAlive());
        }
        assertEquals(List.of(), left(installation));
    }

    @Test
    void leavesNoProcessBehindWhenTheWorkerIsKilled() throws Exception {
        Installation installation = Installation.in(scratch);
        try (Cluster cluster = start(installation, "60s")) {
            submit(installation, cluster);
            List<Long> waiting = await(installation, WAITS);
            cluster.worker().kill();
            for (long pid : waiting) {
                ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
            }
        }
        try (Cluster cluster = start(installation, "60s")) { // the next worker removes the directories
            assertEquals(List.of(), left(installation));
            assertEquals(List.of(false, false), prestarted(submit(installation, cluster)));
        }
    }

    private static Cluster start(Installation installation, String timeout) throws IOException {
        return Cluster.start(installation, Map.of("HEARTH_WORKER_OPTS", "-Dhearth.worker.prestart.timeout=" + timeout));
    }

    private static List<Place> submit(Installation installation, Cluster cluster, String... more) throws Exception {
        List<String> words = new ArrayList<>(
                List.of("--master", cluster.url(), "--deploy-mode", "cluster", "--driver-memory", "256m"));
        words.addAll(List.of("--executor-memory", "256m"));
        words.addAll(List.of(more));
        words.addAll(List.of("--class", PLACE, installation.applications().toString()));
        try (Launched submit = installation.submit(words.toArray(String[]::new))) {
            assertEquals(0, submit.status(), submit::errors);
            return submit.output().lines().map(Place::of).toList();
        }
    }

    private static List<Boolean> prestarted(List<Place> places) {
        return places.stream().map(Place::prestarted).toList();
    }

    /** Waits until processes of exactly these roles wait; returns their ids. */
    private static List<Long> await(Installation installation, String... roles) throws InterruptedException {
        Eventually.until(
                roles.length + " prestarted processes",
                () -> waiting(installation).size() == roles.length,
                BOUND,
                () -> installation.processes().toString());
        return waiting(installation).stream().map(ProcessHandle::pid).sorted().toList();
    }

    private static List<ProcessHandle> waiting(Installation installation) {
        Path ahead = installation.scratch().resolve("work/.prestarted");
        return installation.processes().stream()
                .filter(process -> runsIn(process, ahead))
                .toList();
    }

    private static boolean runsIn(ProcessHandle process, Path directory) {
        try {
            return Path.of("/proc", String.valueOf(process.pid()), "cwd")
                    .toRealPath()
                    .startsWith(directory.toRealPath());
        } catch (IOException ended) {
            return false;
        }
    }

    private static List<Path> left(Installation installation) throws IOException {
        Path ahead = installation.scratch().resolve("work/.prestarted");
        try (Stream<Path> entries = Files.list(ahead)) {
            return entries.toList();
        }
    }
}
