package dev.hearth.yarn.internal.submission;

import dev.hearth.yarn.internal.cluster.ClusterReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Steps of a submission that wait for the cluster. Called by one thread at a time; closed once. */
interface SubmissionWork extends AutoCloseable {
    /** Id that the cluster has assigned, and why the application cannot run there. */
    record Created(String application, List<String> problems) {}

    Optional<String> find() throws IOException;

    Created create() throws IOException;

    void stage(String application, boolean afresh) throws IOException;

    void submit(String application) throws IOException;

    void undo(String application, boolean kill) throws IOException;

    Optional<ClusterReport> report(String application) throws IOException;

    Map<String, String> driverLogs(ClusterReport report) throws IOException;

    /** Sweeps the store, if it is time; returns a line about it. */
    Optional<String> sweep() throws IOException;

    /** Removes what a driver that could not do so itself has left of {@code application}. */
    void cleanUp(String application) throws IOException;

    @Override
    void close();
}
