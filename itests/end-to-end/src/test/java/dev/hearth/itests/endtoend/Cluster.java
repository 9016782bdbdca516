package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** A master and a worker with two cores, as processes. */
final class Cluster implements AutoCloseable {
    private final Launched.Ready master;
    private final Launched.Ready worker;

    private Cluster(Launched.Ready master, Launched.Ready worker) {
        this.master = master;
        this.worker = worker;
    }

    /** Starts both with {@code more} arguments each. */
    static Cluster start(Installation installation, String... more) throws IOException {
        return start(installation, Map.of(), more);
    }

    /** Starts both with further variables in their environment, and with {@code more} arguments each. */
    static Cluster start(Installation installation, Map<String, String> environment, String... more)
            throws IOException {
        Launched.Ready master = installation.daemon(
                environment,
                arguments(
                        more,
                        "master",
                        "--port",
                        "0",
                        "--conf",
                        "hearth.deploy.maxExecutorRetries=3",
                        "--conf",
                        "hearth.master.dir=" + installation.scratch().resolve("master")));
        boolean whole = false;
        try {
            Path work = installation.scratch().resolve("work");
            Launched.Ready worker = installation.daemon(
                    environment,
                    arguments(
                            more,
                            "worker",
                            "--cores",
                            "2",
                            "--memory",
                            "2g",
                            "--work-dir",
                            work.toString(),
                            master.line()));
            whole = true;
            return new Cluster(master, worker);
        } finally {
            if (!whole) {
                master.process().close();
            }
        }
    }

    private static String[] arguments(String[] more, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
    }

    String url() {
        return master.line();
    }

    /** The id that the worker has printed, which ends with its port. */
    String workerId() {
        return worker.line();
    }

    Launched master() {
        return master.process();
    }

    Launched worker() {
        return worker.process();
    }

    @Override
    public void close() {
        worker.process().close();
        master.process().close();
    }
}
