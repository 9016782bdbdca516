package dev.hearth.itests.endtoend;

import java.io.IOException;

/** A master that also takes submissions on a port for clients of Spark, and a worker with three cores. */
record RestCluster(Launched.Ready master, Launched.Ready worker, int port) implements AutoCloseable {
    static RestCluster start(Installation installation) throws IOException {
        int port = FreePort.draw();
        Launched.Ready master = installation.daemon(
                "master",
                "--port=0",
                "--conf",
                "spark.master.rest.enabled=true",
                "--conf",
                "spark.master.rest.port=" + port);
        boolean whole = false;
        try {
            Launched.Ready worker = installation.daemon(
                    "worker",
                    "--cores=3",
                    "--memory=4g",
                    "--work-dir=" + installation.scratch().resolve("work"),
                    master.line());
            whole = true;
            return new RestCluster(master, worker, port);
        } finally {
            if (!whole) {
                master.process().close();
            }
        }
    }

    /** URL of the port for clients of Spark, as they write it. */
    String spark() {
        return "spark://127.0.0.1:" + port;
    }

    /** URL of the master's own port, as clients of Spark write it. */
    String own() {
        return master.line().replace("hearth://", "spark://");
    }

    String http() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        worker.process().close();
        master.process().close();
    }
}
