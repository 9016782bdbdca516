package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Applications that run while a test disturbs their cluster: in cluster mode, in client mode, and with dynamic allocation. Their
 * tasks wait at a gate. Drivers and executors that end, and tasks that run again, are found.
 */
final class GatedApplications implements AutoCloseable {
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final int GROWN = 2; // executors of each with dynamic allocation

    private final Installation installation;
    private final String url;
    private final Gate gate = new Gate();
    private final List<Launched> submits = new ArrayList<>();
    private final List<Gate.Visitor> tasks = new ArrayList<>();
    private final List<ProcessHandle> processes = new ArrayList<>();
    private final int fixed;
    private final int dynamic;

    private GatedApplications(Installation installation, String url, int fixed, int dynamic) throws IOException {
        this.installation = installation;
        this.url = url;
        this.fixed = fixed;
        this.dynamic = dynamic;
    }

    /** Starts applications, and waits until all have their executors and each of these has a task; {@code daemons} are others' processes. */
    static GatedApplications start(
            Installation installation, String url, int cluster, int client, int dynamic, Set<Long> daemons)
            throws Exception {
        GatedApplications all = new GatedApplications(installation, url, cluster + client, dynamic);
        boolean whole = false;
        try {
            for (int i = 0; i < cluster + client + dynamic; i++) {
                all.submits.add(all.submit(i < cluster ? "cluster" : "client", i >= cluster + client));
            }
            all.awaitTasks();
            installation.processes().stream()
                    .filter(process -> !daemons.contains(process.pid()))
                    .forEach(all.processes::add);
            whole = true;
            return all;
        } finally {
            if (!whole) {
                all.close();
            }
        }
    }

    private Launched submit(String mode, boolean isDynamic) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--master",
                url,
                "--deploy-mode",
                mode,
                "--driver-memory",
                "96m",
                "--executor-memory",
                "96m",
                "--executor-cores",
                "1"));
        arguments.addAll(
                isDynamic
                        ? List.of(
                                "--conf",
                                "hearth.dynamicAllocation.enabled=true",
                                "--conf",
                                "hearth.dynamicAllocation.executorIdleTimeout=1s")
                        : List.of("--total-executor-cores", "1"));
        arguments.addAll(List.of(
                "--class",
                "dev.hearth.itests.endtoend.app.GatedRounds",
                installation.applications().toString(),
                String.valueOf(gate.port()),
                isDynamic ? String.valueOf(GROWN) : "1"));
        return installation.submit(arguments.toArray(String[]::new));
    }

    private void awaitTasks() throws Exception {
        int drivers = 0;
        while (drivers < submits.size() || tasks.size() < fixed + dynamic * GROWN) {
            Gate.Visitor visitor = next();
            if (visitor.who().equals("driver")) {
                visitor.pass();
                drivers++;
            } else {
                tasks.add(visitor);
            }
        }
    }

    private Gate.Visitor next() throws Exception {
        try {
            return gate.next();
        } catch (AssertionError nobody) {
            throw new AssertionError(nobody.getMessage() + ": " + stories(), nobody);
        }
    }

    /** What the submissions have said, for failures. */
    String stories() {
        StringBuilder text = new StringBuilder();
        submits.forEach(each -> text.append("\n---\n").append(each.errors()));
        return text.toString();
    }

    /** Number of processes of drivers, executors and submissions. */
    int processes() {
        return processes.size();
    }

    /** Requires that no process has ended and no driver or task has come again since all were at the gate. */
    void requireUntouched() {
        List<String> ended = processes.stream()
                .filter(process -> !process.isAlive())
                .map(ProcessHandle::toString)
                .toList();
        assertEquals(List.of(), ended, () -> "processes that have ended:" + stories());
        assertEquals(submits.size() + tasks.size(), gate.visitors(), () -> "drivers and tasks:" + stories());
    }

    /**
     * Lets all tasks go on, waits until those with dynamic allocation have given their executors back, and runs another job of
     * each. Requires the right results, and that no task has run twice.
     */
    void finish() throws Exception {
        for (Gate.Visitor task : tasks) {
            task.pass();
        }
        List<Gate.Visitor> pauses = new ArrayList<>();
        while (pauses.size() < submits.size()) {
            Gate.Visitor visitor = next();
            assertEquals("pause", visitor.who(), this::stories);
            pauses.add(visitor);
        }
        Eventually.until(
                "executors that are given back",
                () -> tasks.stream().filter(GatedApplications::isAlive).count() == fixed,
                BOUND,
                this::stories);
        for (Gate.Visitor pause : pauses) {
            pause.pass();
        }
        for (int i = 0; i < submits.size(); i++) {
            Gate.Visitor visitor = next();
            assertEquals("task", visitor.who(), this::stories);
            visitor.pass();
        }
        for (int i = 0; i < submits.size(); i++) {
            Launched submit = submits.get(i);
            assertEquals(0, submit.status(), submit::errors);
            String sums = i < fixed ? "sums are 1 and 1" : "sums are 3 and 1";
            assertTrue(submit.output().contains(sums), () -> submit.output() + submit.errors());
        }
        assertEquals(3 * submits.size() + tasks.size(), gate.visitors(), "no driver and no task has come again");
    }

    private static boolean isAlive(Gate.Visitor visitor) {
        return ProcessHandle.of(visitor.pid()).map(ProcessHandle::isAlive).orElse(false);
    }

    /** The highest number of times that one submission has written one line, apart from its numbers. */
    int repetitionsOfALine() {
        int most = 0;
        for (Launched submit : submits) {
            Map<String, Integer> counts = new HashMap<>();
            submit.errors().lines().forEach(line -> counts.merge(line.replaceAll("\\d+", "#"), 1, Integer::sum));
            most = Math.max(
                    most,
                    counts.values().stream().mapToInt(count -> count).max().orElse(0));
        }
        return most;
    }

    @Override
    public void close() throws IOException {
        submits.forEach(Launched::close);
        gate.close();
    }
}
