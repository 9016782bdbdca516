package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Forks processes that do not end by themselves, in a task and with {@code args[0]} being {@code driver} in the driver
 * too, and prints their ids. With {@code args[0]} being {@code killed}, the executor is then killed as kill -9 does, and
 * the application waits until its forked processes are gone. Ends with a line {@code complete}.
 */
public final class ForksProcesses {
    private static final long GONE_SECONDS_MAX = 30;

    private ForksProcesses() {}

    public static void main(String[] args) throws Exception {
        try (HearthContext context = HearthContext.builder().name("forks").open()) {
            if (args[0].equals("driver")) {
                System.out.println("driver " + fork());
            }
            String forked = context.parallelize(List.of(1), 1)
                    .map(number -> ProcessHandle.current().pid() + " " + fork())
                    .collect()
                    .get(0);
            System.out.println("task " + forked);
            if (args[0].equals("killed")) {
                String[] pids = forked.split(" ", -1);
                new ProcessBuilder("kill", "-9", pids[0]).start().waitFor();
                for (String pid : pids) {
                    ProcessHandle.of(Long.parseLong(pid)).ifPresent(ForksProcesses::awaitEnd);
                }
            }
        }
        System.out.println("complete");
    }

    /** Ids of two new processes, the second in a session of its own. Public, because serialised functions call it. */
    public static String fork() throws IOException {
        String script = "sleep 1000 >/dev/null 2>&1 & echo -n \"$! \"; setsid sleep 1000 >/dev/null 2>&1 & echo -n $!";
        Process shell = new ProcessBuilder("sh", "-c", script).start();
        return new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static void awaitEnd(ProcessHandle process) {
        process.onExit().orTimeout(GONE_SECONDS_MAX, TimeUnit.SECONDS).join();
    }
}
